"""Episodes carry out moves, explain what happened, and always end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pushworld.puzzle import Action, PushWorldError, Puzzle
from pushworld.text import FORMATS, Episode, describe
from pushworld.text.answers import MOST_ILLEGAL_ANSWERS
from tests import strategies

CORRIDOR = Puzzle.parse(". A M1 . G1 .\n. . . . . .")

replies = st.one_of(
    st.text(alphabet="LRUD", min_size=1, max_size=6).map("<plan>{}</plan>".format),
    st.integers(0, 3).map("<undo>{}</undo>".format),
    st.sampled_from(["", "no idea", "<plan>X</plan>", "<plan>L</plan><undo>1</undo>", "<undo>"]),
)


@given(
    puzzle=strategies.small_puzzles,
    undo=st.booleans(),
    budget=st.integers(1, 12),
    said=st.lists(replies, min_size=60, max_size=60),
)
def test_every_episode_ends(puzzle: Puzzle, undo: bool, budget: int, said: list[str]) -> None:
    episode = Episode(puzzle, budget=budget, undo=undo)
    most = 2 * budget + MOST_ILLEGAL_ANSWERS
    for reply in said[:most]:
        if episode.done:
            break
        episode.reply(reply)
    assert episode.turns <= most
    assert episode.done or len(said) < most
    assert episode.moves <= budget
    assert episode.illegal_answers <= MOST_ILLEGAL_ANSWERS
    *_, state = puzzle.replay(episode.plan)
    assert episode.state == state
    score = episode.score(prove=False)
    assert score.solved == puzzle.is_solved(state)
    assert (score.moves, score.illegal_answers) == (episode.moves, episode.illegal_answers)


@pytest.mark.parametrize("format", FORMATS)
def test_a_solved_episode(format: str) -> None:
    episode = Episode(CORRIDOR, budget=9, best_known=2, format=format)
    assert describe(CORRIDOR, format=format) in episode.prompt
    told = episode.reply("Up first. <plan>U R</plan>")
    assert told.startswith("2 of 2 actions were carried out. Without effect: 1 (U).\n")
    assert "Goals reached: 0 of 1. 7 of 9 moves are left." in told
    assert told.endswith(describe(CORRIDOR, episode.state, format, legend=False))
    assert not episode.done
    told = episode.reply("<plan>RRRR</plan>")
    assert told.startswith("1 of 4 actions were carried out.\n")
    assert "Goals reached: 1 of 1. The puzzle is solved after 3 moves." in told
    assert episode.done
    assert episode.plan == (Action.UP, Action.RIGHT, Action.RIGHT)
    assert episode.score().as_dict() == {
        "solved": True,
        "goals_achieved": 1,
        "goals": 1,
        "moves": 3,
        "best_known": 2,
        "moves_wasted": 1,
        "unsolvable_after": None,
        "illegal_answers": 0,
        "reward": pytest.approx(0.5 + 0.5 * 2 / 3),
    }


def test_an_episode_in_pictures_has_no_text_of_the_puzzle() -> None:
    episode = Episode(CORRIDOR, format=None, picture=True)
    assert len(episode.reply("<plan>R</plan>").splitlines()) == 2
    assert episode.observation == "Goals reached: 0 of 1. 399 of 400 moves are left."


def test_the_budget_ends_an_episode() -> None:
    episode = Episode(CORRIDOR, budget=2)
    told = episode.reply("<plan>LLLL</plan>")
    assert told.startswith("2 of 4 actions were carried out. Without effect: 2 (L).")
    assert "The episode is over. The puzzle is not solved." in told
    with pytest.raises(PushWorldError, match="the episode is over"):
        episode.reply("<plan>R</plan>")


def test_moves_taken_back_count_but_do_not_make_the_end_unsolvable() -> None:
    episode = Episode(CORRIDOR, budget=9, undo=True, best_known=2)
    episode.reply("<plan>R</plan>")
    episode.reply("<plan>D</plan>")
    assert episode.reply("<undo> 2 </undo>").startswith("2 moves were taken back.\nGoals")
    assert episode.state == CORRIDOR.initial_state
    score = episode.score()
    assert (score.moves, score.moves_wasted, score.unsolvable_after) == (2, 2, None)
    episode.reply("<plan>RR</plan>")
    assert (episode.score().solved, episode.score().moves_wasted) == (True, 2)


def test_the_move_that_made_the_episode_unsolvable() -> None:
    episode = Episode(Puzzle.parse(". A M1 G1 . .\n. . . . . ."), budget=9, undo=True)
    episode.reply("<plan>LR</plan>")
    episode.reply("<undo>1</undo>")
    assert episode.score().unsolvable_after is None
    puzzle = Puzzle.parse("A M1 . . G1 .\n. M2 . . . .\n. G2 . . . .")
    episode = Episode(puzzle, budget=9)
    episode.reply("<plan>RRRR</plan>")
    assert episode.score().unsolvable_after == 4


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ("hello", "There is no <plan> block"),
        ("<plan>LQ</plan>", "'Q', character 2"),
        ("<undo>1</undo>", "1 moves cannot be taken back. There are 0 to take back."),
        ("<undo>0</undo>", "0 moves cannot be taken back"),
        ("<undo>-1</undo>", "must hold one number"),
        ("<undo>all</undo>", "must hold one number"),
        (f"<undo>{'9' * 5000}</undo>", "must hold one number"),
        ("<undo>1</undo><undo>1</undo>", "Write exactly one block"),
        ("<plan>L</plan><undo>1</undo>", "not both"),
    ],
)
def test_an_illegal_answer_changes_nothing_and_is_explained(reply: str, message: str) -> None:
    episode = Episode(CORRIDOR, undo=True)
    told = episode.reply(reply)
    assert message in told
    assert told.endswith("4 more such answers end the episode.")
    assert (episode.state, episode.moves) == (CORRIDOR.initial_state, 0)
    assert episode.illegal_answers == 1


def test_undo_is_not_offered_unless_allowed() -> None:
    assert "There is no <plan> block" in Episode(CORRIDOR).reply("<undo>1</undo>")


@pytest.mark.parametrize(("best_known", "budget"), [(None, 400), (2, 40), (25, 100)])
def test_the_usual_budget_follows_the_best_plan(best_known: int | None, budget: int) -> None:
    assert Episode(CORRIDOR, best_known=best_known).budget == budget


@pytest.mark.parametrize("budget", [0, -1, 10_001])
def test_a_budget_out_of_range_is_an_error(budget: int) -> None:
    with pytest.raises(PushWorldError, match="the budget must be 1 to 10000 moves"):
        Episode(CORRIDOR, budget=budget)
