"""The reference dynamics: the transition function of the paper's appendix, word for word.

It is slow and simple. The native engine is fast and is tested against it, and plans are
replayed on it before anybody sees them.
"""

from pushworld.puzzle.actions import DELTAS, Action
from pushworld.puzzle.model import Position, Puzzle, State


def step(puzzle: Puzzle, state: State, action: int) -> State:
    """Returns T(s, a): every object of M moves by the action's unit vector, unless M meets a wall."""
    dx, dy = Action(action).delta
    moving = moving_objects(puzzle, state, action)
    for index in moving:
        if _pushed_cells(puzzle, state, index, action) & puzzle.walls:
            return state
    if _pushed_cells(puzzle, state, 0, action) & puzzle.agent_walls:
        return state
    return tuple((x + dx, y + dy) if i in moving else (x, y) for i, (x, y) in enumerate(state))


def moving_objects(puzzle: Puzzle, state: State, action: int) -> set[int]:
    """Returns M: the agent, and every object at the end of a chain of pushes that starts with it.

    Object i pushes object j when i, moved by the unit vector, would intersect j where it stands.
    """
    moving = {0}
    frontier = [0]
    while frontier:
        entered = _pushed_cells(puzzle, state, frontier.pop(), action)
        for j, thing in enumerate(puzzle.objects):
            if j not in moving and entered & thing.cells_at(state[j]):
                moving.add(j)
                frontier.append(j)
    return moving


def _pushed_cells(puzzle: Puzzle, state: State, index: int, action: int) -> frozenset[Position]:
    """Returns Z_i(p_i + u_a): the cells of an object moved by the action's unit vector."""
    dx, dy = DELTAS[action]
    x, y = state[index]
    return puzzle.objects[index].cells_at((x + dx, y + dy))
