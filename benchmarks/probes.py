"""Reads plans from the hidden states of an agent that repeats a block: linear probes, by repeat.

    python benchmarks/probes.py level1-policy --rooms 450 --curves probes.svg --plan plan.png

The agent plays random rooms with its best actions: those in which the default planner's plan moves several
objects. At states of the episodes that it solves, ridge regression on one-hot labels reads from its cells
what it will do:

    next object   which object it pushes next, of all movables: from the mean over the cells of each
    direction     where it pushes that object: from the mean over the object's cells
    push map      where and in which direction objects will be pushed: mean F1 of the four directions, cell by cell

Baselines are the label that is most frequent in training, the same probes on the observation (3 x 3 cells
around each cell), and on the same network with its first, random weights. Probes learn from two thirds of
the rooms; intervals are those of 1,000 bootstraps over the other rooms.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress, count, islice, pairwise
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import matplotlib as mpl
import numpy as np
from common import command_line, print_machine, run_script
from matplotlib.figure import Figure
from msgspec import structs
from numpy.typing import NDArray

from pushworld.design.plan_features import plan_features
from pushworld.envs.jax import EnvParams, initial_state, slots_of
from pushworld.planners import solve
from pushworld.puzzle import DELTAS, Puzzle, State, parse_plan
from pushworld.render import render_rgb
from pushworld.rl.agents import agent_file
from pushworld.rl.algorithms.learner import dummy_observations, observe_all
from pushworld.rl.algorithms.networks import ActorCritic
from pushworld.rl.evaluation.agents import load_agent, pack_for
from pushworld.rl.evaluation.assessment import assess
from pushworld.rl.runs.puzzles import random_rooms

Array = NDArray[Any]
MAX_STATES, DRAWN, SEED = 4_000_000, 100, 1_000_000
STATES, BATCH, RIDGE = 6, 32, 1e-3
NO_PUSH = 4


@dataclass
class Moment:
    """A state of an episode, and what the agent does from it on.

    Attributes:
        room: the number of the puzzle.
        masks: bool (objects, height, width), the cells of the objects on the grid, the agent's first.
        free: bool (height, width), the cells without a wall.
        pushed, direction: the movable that the agent pushes next (0 is the first), and where.
        pushes: int (height, width), the direction of the first push of an object on each cell, or `NO_PUSH`.
    """

    room: int
    state: State
    masks: Array
    free: Array
    pushed: int
    direction: int
    pushes: Array


@dataclass(frozen=True)
class Target:
    """What a probe reads: from which cells, the labels, what to count, and the score of these counts."""

    features: Callable[[Array, Moment], Array]
    labels: Callable[[Moment], Any]
    counts: Callable[[Array, Moment], Sequence[float]]
    score: Callable[[Array], Array]


def mean_of_movables(cells: Array, moment: Moment) -> Array:
    """Returns the mean over the cells of each movable."""
    sums: Array = np.einsum("mhw,hwc->mc", moment.masks[1:], cells)
    means: Array = sums / moment.masks[1:].sum(axis=(1, 2))[:, None]
    return means


def count_pushes(scores: Array, moment: Moment) -> Sequence[float]:
    said, true = (
        each[:, None] == np.arange(4) for each in (scores.argmax(1), moment.pushes[moment.free])
    )
    return *(2 * (said & true).sum(axis=0)), *(said.sum(axis=0) + true.sum(axis=0))


def share(sums: Array) -> Array:
    return sums[:, 0] / sums[:, 1]


TARGETS = {
    "next object": Target(
        mean_of_movables,
        lambda moment: (np.arange(len(moment.masks) - 1) == moment.pushed).astype(int),
        lambda scores, moment: (np.argmax(scores[:, 1] - scores[:, 0]) == moment.pushed, 1),
        share,
    ),
    "direction": Target(
        lambda cells, moment: mean_of_movables(cells, moment)[moment.pushed][None],
        lambda moment: [moment.direction],
        lambda scores, moment: (np.argmax(scores) == moment.direction, 1),
        share,
    ),
    "push map": Target(
        lambda cells, moment: cells[moment.free],
        lambda moment: moment.pushes[moment.free],
        count_pushes,
        lambda sums: (sums[:, :4] / np.maximum(sums[:, 4:], 1)).mean(axis=1),
    ),
}


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("agent", help="the file of an agent, or its name")
    parser.add_argument("--rooms", type=int, default=450, help="random rooms (default: 450)")
    parser.add_argument("--repeats", type=int, nargs="+", default=[0, 1, 2, 3, 4, 6, 8, 12])
    parser.add_argument("--curves", type=Path, help="draw the table into this file, .svg or .png")
    parser.add_argument("--plan", type=Path, help="draw how a plan forms into this file, .png")
    arguments = parser.parse_args()
    agent = load_agent(agent_file(arguments.agent))
    rooms = list(islice(hard_rooms(), arguments.rooms))
    last = max(arguments.repeats)
    plans = [each.plan for each in assess(agent, rooms, repeats=last).results]
    params = pack_for(agent.config, rooms, agent)
    rng = np.random.default_rng(SEED)
    moments = [
        moment
        for number, (room, plan) in enumerate(zip(rooms, plans, strict=True))
        if plan
        for moment in moments_of(number, room, plan, params, rng)
    ]
    train = np.array([moment.room % 3 > 0 for moment in moments])
    print_machine(jax=jax.__version__)
    print(
        f"{arguments.agent}: solves {np.mean([bool(each) for each in plans]):.1%} of {len(rooms)} rooms; "
        f"{train.sum()} states to learn from, {(~train).sum()} to test"
    )
    network = structs.replace(agent.config.network, repeats=last, repeats_choices=())
    model: Any = ActorCritic(network)
    first = model.init(jax.random.key(0), dummy_observations(params))
    planes = observations(moments, rooms, params)
    sources = {"majority": np.zeros((*planes.shape[:3], 1)), "observation": neighbourhoods(planes)}
    for name, weights in (("untrained", first), ("trained", agent.weights)):
        states = hidden_states(model, weights, planes, arguments.repeats)
        sources |= {f"{name}, {n}": each for n, each in zip(arguments.repeats, states, strict=True)}
    results, maps = {}, {}
    print(f"\n| | {' | '.join(TARGETS)} |\n| --- |{' --: |' * len(TARGETS)}")
    for name, cells in sources.items():
        results[name], maps[name] = probe(cells, moments, train)
        shown = ("{:.1f} ({:.1f} to {:.1f})".format(*results[name][each]) for each in TARGETS)
        print(f"| {name} | {' | '.join(shown)} |", flush=True)
    if arguments.curves:
        draw_curves(arguments.curves, results, arguments.repeats)
    if arguments.plan:
        shown_maps = {n: maps[f"trained, {n}"] for n in arguments.repeats}
        draw_plan(arguments.plan, rooms, [m for m in moments if m.room % 3 == 0], shown_maps)


def hard_rooms() -> Iterator[Puzzle]:
    """Yields random rooms in which the default planner's plan moves several objects."""
    for number in count(SEED):
        for room in random_rooms(DRAWN, MAX_STATES, number):
            plan = solve(room, time_limit=5).plan
            if plan and len(plan_features(room, plan).moved) > 1:
                yield room


def moments_of(
    number: int, room: Puzzle, plan: str, params: EnvParams, rng: np.random.Generator
) -> Iterator[Moment]:
    """Yields some states of an episode before its last push, its first state among them."""
    actions, states = parse_plan(plan), list(room.replay(plan))
    moved = [
        {i for i, (x, y) in enumerate(zip(*two, strict=True)) if i and x != y}
        for two in pairwise(states)
    ]
    pushes = [step for step, objects in enumerate(moved) if objects]
    left, top = np.asarray(initial_state(number, params).placement).tolist()

    def mask(cells: Iterable[tuple[int, int]]) -> Array:
        where = np.zeros((params.frame.height, params.frame.width), bool)
        for x, y in cells:
            where[y + top, x + left] = True
        return where

    inside = {(x, y) for x in range(room.width) for y in range(room.height)}
    free, last = mask(inside - room.walls), pushes[-1]
    for step in [0, *(1 + rng.permutation(last)[: STATES - 1]).tolist()]:
        where = np.full(free.shape, NO_PUSH)
        for at in (each for each in pushes if each >= step):
            for index in moved[at]:
                cells = mask(room.objects[index].cells_at(states[at][index]))
                where[cells & (where == NO_PUSH)] = actions[at]
        at = next(each for each in pushes if each >= step)
        objects = zip(room.objects, states[step], strict=True)
        yield Moment(
            number,
            states[step],
            np.array([mask(thing.cells_at(position)) for thing, position in objects]),
            free,
            min(touched(room, states[at], actions[at]) & moved[at]) - 1,
            actions[at],
            where,
        )


def touched(room: Puzzle, state: State, action: int) -> set[int]:
    """Returns the movables that the agent would enter by a step."""
    dx, dy = DELTAS[action]
    entered = {(x + dx, y + dy) for x, y in room.agent.cells_at(state[0])}
    return {i for i in range(1, len(state)) if entered & room.objects[i].cells_at(state[i])}


def observations(moments: Sequence[Moment], rooms: Sequence[Puzzle], params: EnvParams) -> Array:
    """Returns the planes of all states (states, height, width, planes)."""
    numbers = np.array([moment.room for moment in moments])
    positions = np.array(params.start)[numbers]
    for own, moment in zip(positions, moments, strict=True):
        own[slots_of(rooms[moment.room], params.frame.goals)] = moment.state
    first = jax.vmap(initial_state, (0, None))(jnp.asarray(numbers), params)
    planes = observe_all(replace(first, positions=jnp.asarray(positions)), params)
    return np.asarray(planes.transpose(0, 2, 3, 1))


def neighbourhoods(planes: Array) -> Array:
    """Returns the planes of the 3 x 3 cells around each cell."""
    height, width = planes.shape[1:3]
    wide = np.pad(planes, ((0, 0), (1, 1), (1, 1), (0, 0)))
    near = [wide[:, y : y + height, x : x + width] for y in range(3) for x in range(3)]
    return np.concatenate(near, axis=-1)


def hidden_states(model: Any, weights: Any, planes: Array, repeats: Sequence[int]) -> list[Array]:
    """Returns the network's cells after each of the repeats (states, height, width, channels)."""

    @jax.jit
    def run(planes: jax.Array) -> list[jax.Array]:
        shown = planes.transpose(0, 3, 1, 2)
        kept = model.apply(weights, shown, mutable="intermediates")[1]["intermediates"]
        return [kept["IteratedTorso_0"]["hidden"][n].astype(jnp.float16) for n in repeats]

    batches = [jax.device_get(run(planes[at : at + BATCH])) for at in range(0, len(planes), BATCH)]
    return [np.concatenate(each) for each in zip(*batches, strict=True)]


def probe(
    cells: Array, moments: Sequence[Moment], train: Array
) -> tuple[dict[str, Array], list[Array]]:
    """Returns the score and interval of each target in percent, and the push maps of tested states."""
    tested = [moment for moment, known in zip(moments, train, strict=True) if not known]
    _, rooms = np.unique([moment.room for moment in tested], return_inverse=True)
    results: dict[str, Array] = {}
    scores: list[Array] = []
    for name, target in TARGETS.items():
        features = [
            target.features(own.astype(np.float32), moment)
            for own, moment in zip(cells, moments, strict=True)
        ]
        labels = [target.labels(moment) for moment in moments]
        known = [np.concatenate(list(compress(each, train))) for each in (features, labels)]
        read = fitted(*known)
        scores = [read(each) for each in compress(features, ~train)]
        counts = [target.counts(*each) for each in zip(scores, tested, strict=True)]
        sums = np.zeros((rooms.max() + 1, len(counts[0])))
        np.add.at(sums, rooms, np.asarray(counts, float))
        drawn = np.random.default_rng(0).multinomial(len(sums), [1 / len(sums)] * len(sums), 1000)
        interval = np.nanpercentile(target.score(drawn @ sums), (2.5, 97.5))
        results[name] = 100 * np.array([*target.score(sums.sum(axis=0)[None]), *interval])
    return results, scores


def fitted(features: Array, labels: Array) -> Callable[[Array], Array]:
    """Returns a linear probe: ridge regression on one-hot labels.

    Labels weigh less the more frequent they are, by the root of their number.
    """
    centre, scale = features.mean(axis=0), features.std(axis=0) + 1e-3
    wanted = np.eye(labels.max() + 1)[labels]
    weights = np.bincount(labels)[labels, None] ** -0.5

    def with_one(features: Array) -> Array:
        return np.pad((features - centre) / scale, ((0, 0), (0, 1)), constant_values=1)

    weighted = with_one(features) * weights / weights.mean()
    gram = weighted.T @ with_one(features) + RIDGE * len(labels) * np.eye(weighted.shape[1])
    matrix = np.linalg.solve(gram, weighted.T @ wanted)
    return lambda features: with_one(features) @ matrix


def draw_curves(path: Path, results: dict[str, dict[str, Array]], repeats: Sequence[int]) -> None:
    """Draws a panel for each target: scores by repeat with their intervals, and the baselines."""
    mpl.rcParams["svg.hashsalt"] = "probes"
    figure = Figure(figsize=(2.4 * len(TARGETS), 2.6), layout="constrained")
    for axis, target in zip(figure.subplots(1, len(TARGETS)), TARGETS, strict=True):
        for name, colour in (("trained", "#0072B2"), ("untrained", "#D55E00")):
            values = np.array([results[f"{name}, {n}"][target] for n in repeats])
            axis.plot(repeats, values[:, 0], color=colour, marker=".", label=name)
            axis.fill_between(
                repeats, values[:, 1], values[:, 2], color=colour, alpha=0.2, linewidth=0
            )
        for name, style in (("observation", "--"), ("majority", ":")):
            axis.axhline(results[name][target][0], color="#555555", linestyle=style, label=name)
        axis.set(title=target, xlabel="repeats", ylim=(-2, 102))
    figure.legend(
        *axis.get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False
    )
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def draw_plan(
    path: Path, rooms: Sequence[Puzzle], tested: Sequence[Moment], maps: dict[int, list[Array]]
) -> None:
    """Draws the first state with the most pushed cells: the push map by repeats, and what the agent does."""
    firsts = [i for i, m in enumerate(tested) if m.state == rooms[m.room].initial_state]
    chosen = max(firsts, key=lambda i: (tested[i].pushes != NO_PUSH).sum())
    moment, room = tested[chosen], rooms[tested[chosen].room]
    places = np.argwhere(moment.free)[:, ::-1]
    corner = (np.array(moment.free.shape[::-1]) - (room.width, room.height)) // 2
    shown = {f"{n} repeats": np.argmax(each[chosen], axis=1) for n, each in maps.items()}
    shown["what it does"] = moment.pushes[moment.free]
    figure = Figure(figsize=(1.1 * len(shown), 4.8), layout="constrained")
    axes = list(figure.subplots(2, -(-len(shown) // 2)).flat)
    for axis, (title, directions) in zip(axes, shown.items(), strict=False):
        axis.imshow(render_rgb(room, moment.state), extent=(0, room.width, room.height, 0))
        pushed = directions != NO_PUSH
        arrows = 0.6 * np.array(DELTAS)[directions[pushed]]
        tails = places[pushed] - corner + 0.5 - arrows / 2
        axis.quiver(*tails.T, *arrows.T, angles="xy", scale_units="xy", scale=1, width=0.015)
        axis.set(title=title)
        axis.set_axis_off()
    for axis in axes[len(shown) :]:
        axis.remove()
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    run_script(main)
