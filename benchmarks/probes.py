"""Reads plans from the hidden states of an agent that repeats a block: linear probes, by repeat.

    python benchmarks/probes.py level1-policy --rooms 450 --curves probes.svg --plan plan.png

The agent plays random rooms with its best actions: those in which the default planner's plan moves several
objects. At states of the episodes that it solves, ridge regression on one-hot labels reads from its cells
what it will do:

    next object   which object it pushes next, of all movables: from the mean over the cells of each
    direction     where it pushes that object: from the mean over the object's cells
    tool          whether a movable will push another one: balanced accuracy, from the same means
    length        how many actions are left: share of the variance, from agent, mean and maximum
    push map      where and in which direction objects will be pushed: mean F1 of the four directions, cell by cell

Baselines are the label that is most frequent in training, the same probes on the observation (3 x 3 cells
around each cell), and on the same network with its first, random weights. Probes learn from two thirds of
the rooms; intervals are those of 1,000 bootstraps over the other rooms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice, pairwise
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
from pushworld.puzzle.reference import moving_objects
from pushworld.render import render_rgb
from pushworld.rl.agents import agent_file
from pushworld.rl.algorithms.learner import dummy_observations, observe_all
from pushworld.rl.algorithms.networks import UNROLLED, ActorCritic
from pushworld.rl.evaluation.agents import load_agent, pack_for
from pushworld.rl.evaluation.assessment import assess
from pushworld.rl.runs.variations import random_rooms

Array = NDArray[Any]
TARGETS = ("next object", "direction", "tool", "length", "push map")
MAX_STATES, DRAWN = 4_000_000, 100
BATCH = 32
NO_PUSH = 4
RIDGE = 1e-3


@dataclass
class Moment:
    """A state of an episode, and what the agent does from it on.

    Attributes:
        room: the number of the puzzle.
        masks: bool (movables, height, width), the cells of the movables on the grid.
        pushed, direction: the movable that the agent pushes next, and where.
        tools: bool (movables,), which of them will push another one.
        length: the number of actions that are left.
        pushes: int (height, width), the direction of the first push of an object on each cell, or `NO_PUSH`.
        free, agent: bool (height, width), the cells without a wall, and those of the agent.
        slots: where the network's environment keeps the objects.
    """

    room: int
    state: State
    masks: Array
    pushed: int
    direction: int
    tools: Array
    length: int
    pushes: Array
    free: Array
    agent: Array
    slots: list[int]


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("agent", help="the file of an agent, or its name")
    parser.add_argument("--rooms", type=int, default=450, help="random rooms (default: 450)")
    parser.add_argument("--states", type=int, default=6, help="of each episode (default: 6)")
    parser.add_argument("--repeats", type=int, nargs="+", default=[0, 1, 2, 3, 4, 6, 8, 12])
    parser.add_argument("--seed", type=int, default=1_000_000, help="of the rooms")
    parser.add_argument("--curves", type=Path, help="draw the table into this file, .svg or .png")
    parser.add_argument("--plan", type=Path, help="draw how a plan forms into this file, .png")
    arguments = parser.parse_args()
    agent = load_agent(agent_file(arguments.agent))
    rooms = list(islice(hard_rooms(arguments.seed), arguments.rooms))
    last = max(arguments.repeats)
    plans = [each.plan for each in assess(agent, rooms, repeats=last).results]
    params = pack_for(agent.config, rooms, agent)
    rng = np.random.default_rng(arguments.seed)
    moments = [
        moment
        for number, (room, plan) in enumerate(zip(rooms, plans, strict=True))
        if plan
        for moment in moments_of(number, room, plan, params, arguments.states, rng)
    ]
    train = np.array([moment.room % 3 > 0 for moment in moments])
    tools = np.mean([moment.tools.any() for moment in moments])
    print_machine(jax=jax.__version__)
    print(
        f"{arguments.agent}: solves {np.mean([bool(each) for each in plans]):.1%} of {len(rooms)} rooms; "
        f"{train.sum()} states to learn from, {(~train).sum()} to test, {tools:.0%} before a tool's push"
    )
    network = structs.replace(agent.config.network, repeats=min(last, UNROLLED), repeats_choices=())
    model: Any = ActorCritic(network)
    first = model.init(jax.random.key(0), dummy_observations(params))
    planes = observations(moments, params)
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


def hard_rooms(seed: int) -> Iterator[Puzzle]:
    """Yields random rooms in which the default planner's plan moves several objects."""
    for number in count(seed):
        for room in random_rooms(DRAWN, MAX_STATES, number):
            plan = solve(room, time_limit=5).plan
            if plan and len(plan_features(room, plan).moved) > 1:
                yield room


def moments_of(
    number: int, room: Puzzle, plan: str, params: EnvParams, most: int, rng: np.random.Generator
) -> Iterator[Moment]:
    """Yields some states of an episode before its last push, its first state among them."""
    actions, states = parse_plan(plan), list(room.replay(plan))
    pushes: list[tuple[int, int, set[int]]] = []
    for step, (action, (before, after)) in enumerate(zip(actions, pairwise(states), strict=True)):
        moved = {i for i in range(1, len(before)) if before[i] != after[i]}
        if moved:
            pushes.append((step, action, moved))
    offset_x, offset_y = np.asarray(initial_state(number, params).placement).tolist()
    shape = params.frame.height, params.frame.width

    def cells(index: int, state: State) -> tuple[list[int], list[int]]:
        there = room.objects[index].cells_at(state[index])
        return [y + offset_y for _, y in there], [x + offset_x for x, _ in there]

    free = np.zeros(shape, bool)
    free[offset_y : offset_y + room.height, offset_x : offset_x + room.width] = True
    for x, y in room.walls:
        free[y + offset_y, x + offset_x] = False
    later = np.arange(1, pushes[-1][0] + 1)
    chosen = rng.permutation(later)[: most - 1].tolist()
    for step in [0, *chosen]:
        state, left = states[step], [each for each in pushes if each[0] >= step]
        masks = np.zeros((len(state), *shape), bool)
        for index in range(len(state)):
            masks[(index, *cells(index, state))] = True
        tools, where = np.zeros(len(state) - 1, bool), np.full(shape, NO_PUSH)
        for at, action, moved in left:
            for index in moved:
                tools[index - 1] |= bool(touched(room, index, states[at], action) & moved)
                ys, xs = cells(index, states[at])
                where[ys, xs] = np.where(where[ys, xs] == NO_PUSH, action, where[ys, xs])
        at, action, moved = left[0]
        first = min(touched(room, 0, states[at], action) & moved)
        yield Moment(
            number,
            state,
            masks[1:],
            first - 1,
            action,
            tools,
            len(actions) - step,
            where,
            free,
            masks[0],
            slots_of(room, params.frame.goals),
        )


def touched(room: Puzzle, index: int, state: State, action: int) -> set[int]:
    """Returns the movables that an object would enter by a step."""
    dx, dy = DELTAS[action]
    entered = {(x + dx, y + dy) for x, y in room.objects[index].cells_at(state[index])}
    others = (i for i in moving_objects(room, state, action) if i not in (0, index))
    return {i for i in others if entered & room.objects[i].cells_at(state[i])}


def observations(moments: Sequence[Moment], params: EnvParams) -> Array:
    """Returns the planes of all states (states, height, width, planes)."""
    positions = np.asarray(params.start)[[moment.room for moment in moments]]
    for own, moment in zip(positions, moments, strict=True):
        own[moment.slots] = moment.state
    first = jax.vmap(initial_state, (0, None))(jnp.array([m.room for m in moments]), params)
    planes = observe_all(replace(first, positions=jnp.asarray(positions)), params)
    return np.asarray(planes.transpose(0, 2, 3, 1))


def neighbourhoods(planes: Array) -> Array:
    """Returns the planes of the 3 x 3 cells around each cell."""
    height, width = planes.shape[1:3]
    wide = np.pad(planes, ((0, 0), (1, 1), (1, 1), (0, 0)))
    near = [wide[:, y : y + height, x : x + width] for y in range(3) for x in range(3)]
    return np.concatenate(near, axis=-1)


def hidden_states(
    model: Any, weights: Any, planes: Array, repeats: Sequence[int]
) -> tuple[Array, ...]:
    """Returns the network's cells after each of the repeats (states, height, width, channels)."""

    @jax.jit
    def run(planes: jax.Array) -> list[jax.Array]:
        shown = planes.transpose(0, 3, 1, 2)
        kept = model.apply(weights, shown, mutable="intermediates")[1]["intermediates"]
        return [kept["IteratedTorso_0"]["hidden"][n].astype(jnp.float16) for n in repeats]

    batches = [run(planes[at : at + BATCH]) for at in range(0, len(planes), BATCH)]
    return tuple(np.concatenate(each) for each in zip(*jax.device_get(batches), strict=True))


def probe(
    cells: Array, moments: Sequence[Moment], train: Array
) -> tuple[dict[str, Array], list[Array]]:
    """Returns the score and the interval of each target in percent, and the push maps of tested states."""
    tested = np.flatnonzero(~train)
    rooms = np.array([moments[each].room for each in tested])
    means = [
        np.einsum("mhw,hwc->mc", moment.masks, own.astype(np.float32))
        / moment.masks.sum(axis=(1, 2))[:, None]
        for own, moment in zip(cells, moments, strict=True)
    ]
    whole = [
        np.concatenate(
            [*(pool(own[m.free].astype(np.float32), 0) for pool in (np.mean, np.max)), mine]
        )
        for own, m in zip(cells, moments, strict=True)
        for mine in [own[m.agent].mean(axis=0, dtype=np.float32)]
    ]
    results = {}

    def read(features: Sequence[Array], labels: Sequence[Array], classes: int) -> list[Array]:
        """Returns the scores of tested states, by a probe on the others: (entries, classes) each."""
        know = list(np.flatnonzero(train))
        predict = fitted(
            np.concatenate([features[i] for i in know]),
            np.concatenate([labels[i] for i in know]),
            classes,
        )
        return [predict(features[i]) for i in tested]

    def score(
        name: str, parts: Sequence[Sequence[float]], measure: Callable[[Array], Array]
    ) -> None:
        """Notes a measure of sums over all tested states, with its interval."""
        sums = np.zeros((rooms.max() + 1, len(parts[0])))
        np.add.at(sums, rooms, np.asarray(parts, float))
        sums = sums[np.unique(rooms)]
        drawn = np.random.default_rng(0).multinomial(len(sums), [1 / len(sums)] * len(sums), 1000)
        low, high = np.nanpercentile(measure(drawn @ sums), (2.5, 97.5))
        results[name] = 100 * np.array([measure(sums.sum(axis=0)[None])[0], low, high])

    def right(sums: Array) -> Array:
        return sums[:, 0] / sums[:, 1]

    truth = [moments[i] for i in tested]
    one_hot = [np.arange(len(m.masks)) == m.pushed for m in moments]
    found = read(means, [each.astype(int) for each in one_hot], 2)
    score(
        "next object",
        [(np.argmax(s[:, 1] - s[:, 0]) == m.pushed, 1) for s, m in zip(found, truth, strict=True)],
        right,
    )
    own = [each[m.pushed][None] for each, m in zip(means, moments, strict=True)]
    found = read(own, [np.array([m.direction]) for m in moments], 4)
    score(
        "direction",
        [(np.argmax(s[0]) == m.direction, 1) for s, m in zip(found, truth, strict=True)],
        right,
    )
    found = read(means, [m.tools.astype(int) for m in moments], 2)
    said = [s[:, 1] > s[:, 0] for s in found]
    score(
        "tool",
        [
            ((p & m.tools).sum(), m.tools.sum(), (~p & ~m.tools).sum(), (~m.tools).sum())
            for p, m in zip(said, truth, strict=True)
        ],
        lambda sums: (sums[:, 0] / sums[:, 1] + sums[:, 2] / sums[:, 3]) / 2,
    )
    found = read([each[None] for each in whole], [np.array([m.length]) for m in moments], 0)
    score(
        "length",
        [
            ((s[0, 0] - m.length) ** 2, m.length, m.length**2, 1)
            for s, m in zip(found, truth, strict=True)
        ],
        lambda sums: 1 - sums[:, 0] / (sums[:, 2] - sums[:, 1] ** 2 / sums[:, 3]),
    )
    places = [own[m.free] for own, m in zip(cells, moments, strict=True)]
    maps = read(places, [m.pushes[m.free] for m in moments], 5)
    parts = []
    for scores, m in zip(maps, truth, strict=True):
        said, so = np.argmax(scores, axis=1), m.pushes[m.free]
        parts.append(
            [((said == d) & (so == d)).sum() for d in range(4)]
            + [((said == d).sum() + (so == d).sum()) for d in range(4)]
        )
    score(
        "push map", parts, lambda sums: (2 * sums[:, :4] / np.maximum(sums[:, 4:], 1)).mean(axis=1)
    )
    return results, maps


def fitted(features: Array, labels: Array, classes: int) -> Callable[[Array], Array]:
    """Returns a linear probe: ridge regression on one-hot labels, or on numbers if there are no classes.

    Labels weigh less the more frequent they are, by the root of their number.
    """
    features = features.astype(np.float32)
    centre, scale = features.mean(axis=0), features.std(axis=0) + 1e-3
    wanted = np.eye(classes)[labels] if classes else labels[:, None].astype(float)
    counts = np.bincount(labels, minlength=classes) if classes else np.zeros(labels.max() + 1)
    weights = np.maximum(counts, 1)[labels, None] ** -0.5
    weights /= weights.mean()

    def with_one(features: Array) -> Array:
        return np.pad((features - centre) / scale, ((0, 0), (0, 1)), constant_values=1)

    known = with_one(features)
    gram = known.T @ (weights * known) + RIDGE * len(known) * np.eye(known.shape[1])
    matrix = np.linalg.solve(gram, known.T @ (weights * wanted))
    return lambda features: with_one(features.astype(np.float32)) @ matrix


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
    """Draws the first state with the most pushes: the push map by repeats, and what the agent does."""
    firsts = [i for i, m in enumerate(tested) if m.state == rooms[m.room].initial_state]
    chosen = max(firsts, key=lambda i: (tested[i].pushes != NO_PUSH).sum())
    moment = tested[chosen]
    ys, xs = np.nonzero(moment.free)
    room, size = rooms[moment.room], 20
    shown = [(f"{n} repeats", np.argmax(each[chosen], axis=1)) for n, each in maps.items()]
    shown.append(("what it does", moment.pushes[moment.free]))
    figure = Figure(figsize=(2.2 * len(shown) / 2, 4.8), layout="constrained")
    corner = np.argwhere(moment.free).min(axis=0) - 1
    for axis, (title, directions) in zip(
        figure.subplots(2, -(-len(shown) // 2)).flat, shown, strict=False
    ):
        axis.imshow(render_rgb(room, moment.state, pixels_per_cell=size))
        pushed = directions != NO_PUSH
        arrows = np.array(DELTAS)[directions[pushed]] * 0.6 * size
        x, y = (
            (each[pushed] - first + 0.5) * size
            for each, first in ((xs, corner[1]), (ys, corner[0]))
        )
        axis.quiver(
            x - arrows[:, 0] / 2,
            y - arrows[:, 1] / 2,
            *arrows.T,
            angles="xy",
            scale_units="xy",
            scale=1,
            width=0.015,
        )
        axis.set(title=title, xticks=[], yticks=[])
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    run_script(main)
