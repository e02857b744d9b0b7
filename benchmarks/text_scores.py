"""Measures answers scored, prompts written and tasks generated a second, on one core.

    python benchmarks/text_scores.py
    python benchmarks/text_scores.py --source classic --seconds 5

The answers are those of the tasks in turn, one of each kind: a shortest plan, that plan with detours, random
moves of the same length, and text without a plan; all but the last in a thousand characters of other text.
Each figure is the best of several rounds in CPU time, to exclude other work on the machine; those of tasks,
which differ, are means.
"""

import time
from collections.abc import Callable
from functools import partial
from itertools import cycle
from random import Random
from statistics import mean

from common import best_rate, command_line, print_machine, run_script

from pushworld.puzzle import LETTERS
from pushworld.text import FORMATS, Task, one_shot_prompt, picture, reward, score_answer, tasks
from pushworld.text.corpus import draw_texts
from pushworld.text.steps import ROOM_STEPS
from pushworld.text.tasks import GENERATED, STREAM

REASONING = "The agent must get behind M1 first, so I look for a way around. "


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--source", default="evaluation", help="of tasks (default: evaluation)")
    parser.add_argument("--limit", type=int, default=400, help="of tasks (default: 400)")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure (default: 2)")
    arguments = parser.parse_args()
    chosen = [
        task for task in tasks(arguments.source, limit=arguments.limit) if task.plan is not None
    ]
    rates = measure(chosen, arguments.seconds)
    length = mean(len(task.plan or "") for task in chosen)
    print_machine()
    print(f"{len(chosen)} tasks of {arguments.source}, plans of {length:.0f} actions on average")
    for what, rate in rates.items():
        print(f"{what:36}{rate:14,.1f} a second")


def measure(chosen: list[Task], seconds: float) -> dict[str, float]:
    """Returns the rates of rewards, scores, prompts and pictures."""
    turns = cycle((task, answer) for task in chosen for answer in answers(task))
    in_turn = cycle(chosen)

    def rate(work: Callable[[], object]) -> float:
        return best_rate(lambda: bool(work()) or 1, seconds, time.process_time)

    def give_reward() -> float:
        task, answer = next(turns)
        return reward(task.puzzle, answer, best_known=task.best_known)

    rates = {
        "rewards": rate(give_reward),
        "scores": rate(lambda: score_answer(*next(turns), prove=False)),
        "scores with proofs of dead ends": rate(lambda: score_answer(*next(turns), prove=True)),
    }
    for format in FORMATS:
        prompts = (one_shot_prompt(task.puzzle, format=format) for task in cycle(chosen))
        rates[f"prompts, {format}"] = rate(partial(next, prompts))
    rates["pictures"] = rate(lambda: picture(next(in_turn).puzzle))
    for source in (f"{kind}{step}" for kind in (GENERATED, STREAM) for step in ROOM_STEPS):
        rates[f"first tasks of {source}"] = mean_rate(source, seconds)
    rates["puzzles of a corpus"] = corpus_rate(seconds)
    return rates


def corpus_rate(seconds: float) -> float:
    """Returns about how many puzzles of all steps in turn texts are written in a second."""
    puzzles, start = 0, time.process_time()
    while (elapsed := time.process_time() - start) < 5 * seconds:
        puzzles += len(draw_texts(f"rate {puzzles}"))
    return puzzles / elapsed


def mean_rate(source: str, seconds: float) -> float:
    """Returns how many first tasks of different seeds, with their prompts, are made in a second."""
    done, start = 0, time.process_time()
    while (elapsed := time.process_time() - start) < seconds or not done:
        (task,) = tasks(source, limit=1, seed=done)
        one_shot_prompt(task.puzzle)
        done += 1
    return done / elapsed


def answers(task: Task) -> list[str]:
    """Returns the answers to a task that are measured."""
    assert task.plan is not None
    random = Random(task.plan)
    detours = "LRRL" + task.plan + "UD"
    moves = "".join(random.choices(LETTERS, k=len(task.plan)))
    reasoning = REASONING * 16
    return [f"{reasoning}<plan>{plan}</plan>" for plan in (task.plan, detours, moves)] + [reasoning]


if __name__ == "__main__":
    run_script(main)
