"""Measures answers scored a second and prompts written a second, on one core.

    python benchmarks/text_scores.py
    python benchmarks/text_scores.py --source classic --seconds 5

The answers are those of the tasks in turn, one of each kind: a shortest plan, that plan with detours, random
moves of the same length, and text without a plan; all but the last in a thousand characters of other text.
Each figure is the best of several rounds in CPU time, to exclude other work on the machine.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from functools import partial
from itertools import cycle
from random import Random
from statistics import mean

from machine import describe_machine

from pushworld.puzzle import LETTERS, PushWorldError
from pushworld.text import FORMATS, Task, one_shot_prompt, picture, reward, score_answer, tasks

ROUNDS = 5
REASONING = "The agent must get behind M1 first, so I look for a way around. "


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--source", default="evaluation", help="of tasks (default: evaluation)")
    parser.add_argument("--limit", type=int, default=400, help="of tasks (default: 400)")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure (default: 2)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    try:
        chosen = [
            task for task in tasks(arguments.source, limit=arguments.limit) if task.plan is not None
        ]
    except PushWorldError as error:
        parser.error(str(error))
    rates = measure(chosen, arguments.seconds)
    machine = describe_machine()
    length = mean(len(task.plan or "") for task in chosen)
    if arguments.json:
        print(json.dumps({"machine": machine, "plan_length": length, "a_second": rates}, indent=2))
        return
    print(", ".join(f"{key} {value}" for key, value in machine.items()))
    print(f"{len(chosen)} tasks of {arguments.source}, plans of {length:.0f} actions on average")
    for what, rate in rates.items():
        print(f"{what:36}{rate:12,.0f} a second")


def measure(chosen: list[Task], seconds: float) -> dict[str, float]:
    """Returns the rates of rewards, scores, prompts and pictures."""
    answered = [(task, answer) for task in chosen for answer in answers(task)]
    turns = cycle(answered)
    in_turn = cycle(chosen)

    def give_reward() -> None:
        task, answer = next(turns)
        reward(task.puzzle, answer, best_known=task.best_known)

    def give_score(prove: bool) -> None:
        score_answer(*next(turns), prove=prove)

    def write_prompt(format: str) -> None:
        one_shot_prompt(next(in_turn).puzzle, format=format)

    rates = {
        "rewards": best_rate(give_reward, seconds, len(answered)),
        "scores": best_rate(partial(give_score, False), seconds, len(answered)),
        "scores with proofs of dead ends": best_rate(partial(give_score, True), seconds),
    }
    for format in FORMATS:
        rates[f"prompts, {format}"] = best_rate(partial(write_prompt, format), seconds)
    rates["pictures"] = best_rate(lambda: picture(next(in_turn).puzzle), seconds)
    return rates


def answers(task: Task) -> list[str]:
    """Returns the answers to a task that are measured."""
    assert task.plan is not None
    random = Random(task.plan)
    detours = "LRRL" + task.plan + "UD"
    moves = "".join(random.choices(LETTERS, k=len(task.plan)))
    reasoning = REASONING * 16
    return [f"{reasoning}<plan>{plan}</plan>" for plan in (task.plan, detours, moves)] + [reasoning]


def best_rate(work: Callable[[], object], seconds: float, warm_up: int = 1) -> float:
    """Returns how often work is done in a second of CPU time, in the best of several rounds."""
    for _ in range(warm_up):
        work()
    rates = []
    for _ in range(ROUNDS):
        count = 0
        start = time.process_time()
        while (elapsed := time.process_time() - start) < seconds / ROUNDS:
            work()
            count += 1
        rates.append(count / elapsed)
    return max(rates)


if __name__ == "__main__":
    main()
