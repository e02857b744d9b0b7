"""Measures what each part of the default planner's strategies is worth.

    python benchmarks/ablation.py --puzzles classic --every 10 --max-states 5000
    python benchmarks/ablation.py --strategy uncommitted --strategy 'cost; moved: cost'
    python benchmarks/ablation.py --puzzles published --family tight crowd --half checking --markdown

It runs all strategies together, all but one, each alone, and each without one open list, without one feature of
an open list, without its commitment, without its choice of objects, and without its order of goals. --together
leaves out what runs a strategy alone; --sensitivity adds all strategies with one constant halved or doubled. --seeds are
those of the searches; with --family, which runs them on siblings of the puzzles (`siblings.py`), those of the siblings.
Every run has one thread and a limit on states, so that the same command finds the same plans on every machine; only
CPU seconds differ. Runs are spread over the cores, and the same command resumes after an interruption. The geometric
mean of states is over the puzzles and seeds that all variants solve.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from statistics import geometric_mean

from common import Row, command_line, positive, print_machine, rows_of, run_script, show
from families import add_options, chosen_siblings, run_one

from pushworld.bench.contestants import native_build
from pushworld.bench.tables import Table
from pushworld.bench.tasks import choose_tasks, digest_of
from pushworld.machine import usable_cores
from pushworld.planners import OpenList, Strategy, default_strategies
from pushworld.planners.strategies import OPTIONS, find_strategies

Variant = tuple[str, tuple[Strategy, ...]]
"""What the table calls some strategies, and the strategies."""


def main() -> None:
    parser = command_line(__doc__)
    add = parser.add_argument
    add_options(parser)
    add("--max-states", type=positive, default=100_000, metavar="N", help="(default: 100000)")
    add(
        "--strategy",
        action="append",
        default=[],
        metavar="NAME|TEXT|FILE.toml",
        help="instead of those of the default planner; may be repeated",
    )
    add("--together", action="store_true", help="only all strategies together")
    add("--only", default="", metavar="TEXT", help="only variants whose names match this pattern")
    add("--sensitivity", action="store_true", help="constants halved and doubled too")
    add("--workers", type=positive, default=usable_cores(), help="(default: the cores)")
    arguments = parser.parse_args()
    if arguments.family:
        named = [each.puzzle for each in chosen_siblings(arguments, arguments.family)]
    else:
        named = [task.puzzle for task in choose_tasks(arguments.puzzles, arguments.every)]
    puzzles = {digest_of(puzzle): puzzle for puzzle in named}
    chosen = [each for given in arguments.strategy for each in find_strategies(given)]
    every = chosen or default_strategies()
    variants = [("all strategies", tuple(every)), *together(every, arguments.sensitivity)]
    if not arguments.together:
        variants += alone(every)
    variants = [each for each in variants if re.search(arguments.only, each[0])]
    most, seeds = arguments.max_states, [0] if arguments.family else arguments.seeds
    tasks = {
        (native_build(), digest, text_of(strategies), most, seed): partial(
            run_one, puzzle, max_states=most, strategies=strategies, seed=seed
        )
        for digest, puzzle in puzzles.items()
        for _, strategies in variants
        for seed in seeds
    }
    rows = rows_of(tasks, arguments.store, arguments.workers)
    print_machine()
    print(f"{len(puzzles)} puzzles, {most:,} states, build {native_build()}")
    by_text: dict[str, dict[tuple[str, int], Row]] = {}
    for (_, digest, text, _, seed), row in rows.items():
        by_text.setdefault(text, {})[digest, seed] = row
    show(table_of(variants, by_text, seeds), arguments.markdown)


def together(strategies: Sequence[Strategy], sensitivity: bool) -> Iterator[Variant]:
    """Yields all strategies without one of them, and with another constant if asked to."""
    for left_out in strategies if len(strategies) > 1 else ():
        others = tuple(each for each in strategies if each is not left_out)
        yield f"all but {name_of(left_out)}", others
    for option in OPTIONS.values() if sensitivity else ():
        for value in (option.default // 2, 2 * option.default):
            if option.least <= value <= option.most and value != option.default:
                changed = tuple(with_option(each, option.name, value) for each in strategies)
                yield f"{option.name} {value} instead of {option.default}", changed


def with_option(strategy: Strategy, name: str, value: int) -> Strategy:
    return replace(strategy, options=tuple((dict(strategy.options) | {name: value}).items()))


def alone(strategies: Sequence[Strategy]) -> Iterator[Variant]:
    """Yields each strategy, and each that lacks one part of it."""
    for strategy in strategies:
        yield f"{name_of(strategy)} alone", (strategy,)
        for part, reduced in reductions(strategy):
            yield f"{name_of(strategy)} without {part}", (reduced,)


def reductions(strategy: Strategy) -> Iterator[tuple[str, Strategy]]:
    """Yields the strategies that lack one part, and what that part is."""
    lists = strategy.open_lists
    for index, open_list in enumerate(lists):
        others = (*lists[:index], *lists[index + 1 :])
        if others:
            yield f"'{open_list}'", replace(strategy, open_lists=others)
        for feature in open_list.features:
            rest = tuple(each for each in open_list.features if each != feature)
            reduced = OpenList(rest, open_list.evaluators)
            if reduced not in others:
                changed = (*lists[:index], reduced, *lists[index + 1 :])
                yield f"{feature} of '{open_list}'", replace(strategy, open_lists=changed)
    if strategy.commitment != "none":
        yield "commitment", replace(strategy, commitment="none")
    if strategy.objects != "all":
        yield "its choice of objects", replace(strategy, objects="all")
        yield "mending", with_option(strategy, "mending", 0)
    if strategy.goals != "together":
        yield "its order of goals", replace(strategy, goals="together")
        yield "layouts", with_option(strategy, "layouts", 0)


def name_of(strategy: Strategy) -> str:
    return strategy.name or f"'{strategy}'"


def text_of(strategies: Sequence[Strategy]) -> str:
    """Returns what tells the results of strategies from those of others."""
    return " || ".join(str(replace(strategy, name="")) for strategy in strategies)


def table_of(
    variants: Sequence[Variant],
    runs: Mapping[str, Mapping[tuple[str, int], Row]],
    seeds: Sequence[int],
) -> Table:
    """Returns the table of the variants, from their runs by text, digest of the puzzle and seed."""
    solved = {
        text: {run: row["states"] for run, row in own.items() if row["status"] == "solved"}
        for text, own in runs.items()
    }
    common = set.intersection(*map(set, solved.values()))
    rows = []
    for label, strategies in variants:
        text = text_of(strategies)
        states = [max(1, solved[text][run]) for run in sorted(common)]
        counts = (sum(each == seed for _, each in solved[text]) for seed in seeds)
        seconds = sum(run["cpu_seconds"] for run in runs[text].values())
        mean = f"{geometric_mean(states):,.0f}" if states else ""
        rows.append([label, ", ".join(map(str, counts)), mean, f"{seconds:.1f}"])
    told = f"solved with seed {', '.join(map(str, seeds))}" if len(seeds) > 1 else "solved"
    return Table(["variant", told, f"states (of {len(common)})", "CPU s"], rows)


if __name__ == "__main__":
    run_script(main)
