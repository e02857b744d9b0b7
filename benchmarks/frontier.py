"""Gives the puzzles of a design names, and writes the index of a set of the package.

    pushworld design --against default --unsolved --size 22x22 --states 50000000 --evaluations 4 --seed 1 --count 50 -o frontier
    python benchmarks/frontier.py frontier FOLDER
    python benchmarks/frontier.py heldout FOLDER --set heldout

Puzzles are sorted by their kinds, at most 20 of each, and the names of a kind are given in order, without those of the other set. A
sentence says what the puzzle asks for, and one what it teaches.
"""

import json
from collections import defaultdict
from pathlib import Path

from common import command_line, run_script

from pushworld.datasets import frontier_puzzles, heldout_puzzles
from pushworld.design.folder import LOG
from pushworld.files import make_folder
from pushworld.journal import Row
from pushworld.planners import solve
from pushworld.puzzle import Puzzle

HEADER = "# The set {} by the kinds of its presses. `python benchmarks/frontier.py` wrote it.\n"
SETS = {"frontier": frontier_puzzles, "heldout": heldout_puzzles}
MOST = 20

KINDS = {
    "organ": (
        "{pieces} pipes for the shafts before the bar: when they stand where they fit, it moves off the bolt.",
        "What must fit as a whole is sorted as a whole: find the only place of the longest pipe first.",
        "bourdon gamba salicional quintadena principal octave nasard tierce larigot mixture cornet trumpet oboe "
        "clarion regal posaune flute vox-humana celesta sesquialtera",
    ),
    "chimneys": (
        "{pieces} rods for a few deep shafts, one behind another, until the bar can pass.",
        "Lengths that share a shaft have to add up: do the sums before you push the first one in.",
        "soot ember hearth cinder smoke bellows kiln furnace stove ash spark coal damper mantel grate poker firebrick "
        "cowl flue log-fire",
    ),
    "jigsaw": (
        "{pieces} pieces fill the outline, and then the bar has room to unlock the goal.",
        "An outline says where its odd pieces belong: place those, and the others follow.",
        "castle ridge citadel minster canyon mesa terraces battlement abbey lighthouse viaduct pagoda palisade "
        "rampart quarry gable bastion spire belfry skyline",
    ),
    "lid": (
        "{pieces} pieces for a box whose lid has teeth: the last wall that they fit is the bar itself.",
        "What closes a box is part of its shape: pack for the lid, not only for the bottom.",
        "jewel-box tea-caddy cigar-box butter-dish music-box casket trunk piano-lid snuffbox hatbox toolbox lunchbox "
        "pencil-case cake-tin inkwell violin-case coffer strongbox sea-chest bento",
    ),
    "drawers": (
        "{pieces} rods for drawers on both sides: each has to be gone before the bar comes by.",
        "Push in what lies farthest from the bar last, and keep the room that you need to stand behind it.",
        "cutlery letters buttons maps candles ribbons spices medals stamps gloves coins photographs keys threads "
        "recipes tickets postcards pencils shells marbles corks thimbles buckles fuses needles",
    ),
    "pigeonholes": (
        "{pieces} odd pieces for the holes on both sides, each for the one of its shape.",
        "A piece cannot turn, so its shape says which side it goes to, and from where you push it.",
        "wood-pigeon turtle-dove rock-dove fantail tumbler carrier homer swift nun trumpeter archangel magpie pouter "
        "jacobin roller frillback owl capuchin lark swallow",
    ),
    "cabinet": (
        "{pieces} rods, some for the shafts before the bar and some for the drawers beside it.",
        "Two kinds of places take two kinds of pushes: do first what the other kind would block.",
        "spice-rack curio filing medicine herbarium wardrobe sideboard bureau dresser cupboard larder pantry secretaire "
        "tallboy armoire credenza bookshelf locker vitrine map-cabinet",
    ),
    "sorter": (
        "{pieces} odd pieces, some for the holes before the bar and some for the holes beside it.",
        "Look for the piece that fits in one place only, and for the place that only one piece fits.",
        "mail-room sorting-office egg-grader bottle-bank laundry library-return seed-drawer button-factory "
        "ticket-office marshalling-yard parcel-depot lost-property letterbox assay sieve type-case fruit-stand card-index "
        "recycling coin-sorter",
    ),
}
"""By kind: what a puzzle asks for, what it teaches, and names."""

NUMBERS = {6: "Six", 7: "Seven", 8: "Eight", 9: "Nine"}
BOUND_STATES = 1_000_000
"""Of the search that proves how many actions every plan has."""

NOT_PIECES = 2
"""The key and the bar; a press with moulds on its sides alone has a bolt as well."""


def entry_of(name: str, row: Row, puzzle: Puzzle, least: int) -> str:
    """Returns the line of the index for a puzzle."""
    asks, teaches, _ = KINDS[row["idea"]]
    bolt = row["idea"] in ("drawers", "pigeonholes")
    pieces = NUMBERS[len(puzzle.movables) - NOT_PIECES - bolt]
    values = {
        "name": name,
        "description": asks.format(pieces=pieces),
        "idea": teaches,
        "tags": ["movable-obstacle"] + ["tool-use"] * bolt,
        "at_least": least,
        "plan": row["plan"],
    }
    return ", ".join(f"{key} = {json.dumps(value)}" for key, value in values.items())


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("designs", type=Path, help="a folder that `pushworld design` wrote")
    parser.add_argument("folder", type=Path, help="the folder to write")
    parser.add_argument("--set", choices=SETS, default="frontier", help="(default: frontier)")
    arguments = parser.parse_args()
    (other,) = (puzzles() for name, puzzles in SETS.items() if name != arguments.set)
    taken = {each.name for each in other}
    rows: dict[str, list[Row]] = defaultdict(list)
    for line in (arguments.designs / LOG).read_text(encoding="utf-8").splitlines()[1:]:
        row = json.loads(line)
        if row["name"] and row["unsolved"] and row["idea"] in KINDS:
            rows[row["idea"]].append(row)
    make_folder(arguments.folder)
    lines = [HEADER.format(arguments.set)]
    print("| kind | puzzles | movables | actions of the plan | and at least |")
    print("| --- | --: | --- | --- | --- |")
    for kind, (_, _, names) in KINDS.items():
        lines.append(f"{kind} = [")
        facts = []
        free = [name for name in names.split() if name not in taken]
        for name, row in zip(free[:MOST], rows[kind], strict=False):
            puzzle = Puzzle.load(arguments.designs / f"{row['name']}.pwp")
            puzzle.save(arguments.folder / f"{name}.pwp")
            least = solve(puzzle, "astar", max_states=BOUND_STATES).lower_bound or 1
            lines.append(f"  {{ {entry_of(name, row, puzzle, least)} }},")
            facts.append((len(puzzle.movables), len(row["plan"]), least))
        lines.append("]\n")
        if facts:
            ranges = (f"{min(column)} to {max(column)}" for column in zip(*facts, strict=True))
            print(f"| `{kind}` | {len(facts)} |", " | ".join(ranges), "|")
    (arguments.folder / "index.toml").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    run_script(main)
