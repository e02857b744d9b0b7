"""The typed configuration of a training run, and its JSON or TOML file."""

import json
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Meta, Struct

from pushworld.envs.contract import DEFAULT_MAX_STEPS
from pushworld.files import read_json, read_toml, write_text
from pushworld.puzzle import PushWorldError
from pushworld.rl.settings import (
    Count,
    DQNConfig,
    ImitationConfig,
    Int32Count,
    NetworkConfig,
    PPOConfig,
    Seed,
)

Settings = TypeVar("Settings", bound=Struct)


AGENT_FILE = "agent.zip"
"""The trained agent in the folder of a run."""


REMOVED = (
    "curriculum",
    "priority_exponent",
    "importance_exponent",
    "first_weights",
    "seeds",
    "double",
    "max_abs_reward",
    "bootstrap_truncated",
    "convolution",
)
"""Settings of training in earlier versions, which agents do not need."""


class ConfigError(PushWorldError):
    """A configuration that is not valid."""


class RunConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """A training run.

    Attributes:
        algorithm: ``ppo``, ``dqn`` or ``imitation``; only the settings of this one are used.
        start_from: the file of an agent with the same network, whose weights the run starts with.
        train: the training set, by a name that `pushworld.datasets.load_set` takes.
        also: more training sets, without puzzles that the test set has in any symmetric form.
        also_states: puzzles of `also` with more states are left out; None keeps them all.
        rooms: how many random rooms of up to 12 x 12 cells to train on as well, drawn with the seed.
        test: the test set, or None.
        other_goals: how many copies of each training puzzle with other goals, drawn at random, imitation
            trains on as well. Some may have no plan from the initial state: their episodes start at
            states that have one.
        other_goals_states: puzzles with more states have no copies.
        seed: of all random numbers.
        steps: environment steps of the whole run, which ends with a whole round of `log_every`.
        max_steps: environment steps of an episode, at most.
        max_size: the largest width and height of a puzzle, or None: larger ones are not played, and
            count as not solved. The grid of all puzzles is as large as the largest, so a few large
            ones make every step slow.
        symmetries, random_placement: how episodes vary a puzzle, in training and in evaluation.
        log_every, evaluate_every, checkpoint_every: environment steps between two of these.
        evaluation_puzzles: how many puzzles of each set an evaluation plays, or None for all.
        devices: how many devices share the environments, or None for all; they must divide their number.
    """

    algorithm: Literal["ppo", "dqn", "imitation"] = "ppo"
    start_from: str | None = None
    train: str = "base/train"
    also: tuple[str, ...] = ()
    also_states: Count | None = None
    rooms: Annotated[int, Meta(ge=0)] = 0
    test: str | None = "base/test"
    other_goals: Annotated[int, Meta(ge=0)] = 0
    other_goals_states: Count = 4_194_304
    seed: Seed = 0
    steps: Count = 50_000_000
    max_steps: Int32Count = DEFAULT_MAX_STEPS
    max_size: Count | None = None
    symmetries: bool = True
    random_placement: bool = True
    log_every: Int32Count = 1_000_000
    evaluate_every: Count = 5_000_000
    checkpoint_every: Count = 20_000_000
    evaluation_puzzles: Count | None = None
    devices: int | None = None
    network: NetworkConfig = NetworkConfig()
    ppo: PPOConfig = PPOConfig()
    dqn: DQNConfig = DQNConfig()
    imitation: ImitationConfig = ImitationConfig()

    def __post_init__(self) -> None:
        """Checks settings that depend on each other."""
        ppo, dqn, network = self.ppo, self.dqn, self.network
        if ppo.environments * ppo.unroll % ppo.minibatches:
            raise ConfigError("ppo.minibatches must divide ppo.environments * ppo.unroll")
        if dqn.environments * dqn.samples_per_insert % dqn.batch:
            raise ConfigError("dqn.batch must divide dqn.environments * dqn.samples_per_insert")
        if dqn.replay % dqn.environments:
            raise ConfigError("dqn.replay must be a multiple of dqn.environments")
        if dqn.warm_up > dqn.replay or dqn.warm_up % dqn.environments:
            raise ConfigError(
                "dqn.warm_up must be a multiple of dqn.environments, at most dqn.replay"
            )
        if dqn.largest_epsilon is not None and not 0 < dqn.epsilon <= dqn.largest_epsilon:
            raise ConfigError(
                "dqn.largest_epsilon must be at least dqn.epsilon, which must be above 0"
            )
        if self.imitation.environments % self.imitation.batch:
            raise ConfigError("imitation.batch must divide imitation.environments")
        if self.other_goals and self.algorithm != "imitation":
            raise ConfigError(f"other_goals is {self.other_goals}: it needs imitation")
        if self.imitation.shuffle and self.algorithm == "imitation" and network.kind == "paper":
            raise ConfigError("imitation.shuffle needs a network that reads planes, not pictures")
        if (network.objects or network.scene) and network.kind != "iterated":
            raise ConfigError("network.objects and network.scene need the network iterated")
        if network.scene and (network.objects or self.imitation.shuffle):
            raise ConfigError("network.scene excludes network.objects and imitation.shuffle")
        if network.repeats_choices and (self.algorithm == "dqn" or network.kind != "iterated"):
            raise ConfigError(
                "network.repeats_choices needs ppo or imitation, and the network iterated"
            )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Returns the run of a mapping, with defaults for missing settings; raises ConfigError."""
        return convert_settings(cls, data)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Returns the run of a ``.json`` or ``.toml`` file, or raises ConfigError."""
        data = read_table(path)
        try:
            return cls.from_dict(data)
        except ConfigError as error:
            raise ConfigError(f"{path}: {error}") from error

    def to_dict(self) -> dict[str, Any]:
        """Returns a mapping that `from_dict` turns into the same run."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    def differences(self, other: Self) -> dict[str, Any]:
        """Returns the settings of this run that differ in the other, by names such as ``ppo.unroll``."""
        mine, others = _flatten(self.to_dict()), _flatten(other.to_dict())
        return {name: value for name, value in mine.items() if value != others[name]}

    def save(self, path: Path) -> None:
        """Writes the run as JSON, all of it or nothing."""
        write_text(path, json.dumps(self.to_dict(), indent=2) + "\n")


def read_table(path: Path) -> Any:
    """Returns the content of a ``.json`` or ``.toml`` file, or raises ConfigError."""
    try:
        return read_toml(path) if path.suffix == ".toml" else read_json(path)
    except PushWorldError as error:
        raise ConfigError(str(error)) from error


def convert_settings(kind: type[Settings], data: object) -> Settings:
    """Returns a mapping as typed settings, or raises ConfigError with a message of one line."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise ConfigError(_message(kind, str(error).replace("`", ""))) from error


def without_removed(data: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the settings of an agent without those that only earlier versions had."""
    return {
        name: without_removed(value) if isinstance(value, dict) else value
        for name, value in data.items()
        if name not in REMOVED
    }


def _message(kind: type[Struct], text: str) -> str:
    """Returns msgspec's message with the name of the setting first, and with what is allowed."""
    problem, _, place = text.partition(" - at $")
    path = place.removeprefix(".")
    expected: Any = kind
    for name in path.split("[")[0].split("."):
        expected = get_type_hints(expected)[name] if name else expected
    if problem.startswith("Object contains unknown field "):
        unknown, names = problem.rsplit(" ", 1)[1], expected.__struct_fields__
        close = get_close_matches(unknown, names, 1)
        hint = f"did you mean {close[0]}?" if close else f"use {', '.join(names)}"
        return f"there is no setting {path}{'.' if path else ''}{unknown}: {hint}"
    if problem.startswith("Invalid enum value "):
        value = problem.removeprefix("Invalid enum value ")
        return f"{path} is {value}: use {' or '.join(get_args(expected))}"
    return f"{path or 'the configuration'}: {problem[0].lower()}{problem[1:]}"


def _flatten(data: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Returns the values of a table and of the tables in it, by names such as ``ppo.unroll``."""
    flat: dict[str, Any] = {}
    for key, value in data.items():
        name = f"{prefix}{key}"
        flat |= _flatten(value, f"{name}.") if isinstance(value, dict) else {name: value}
    return flat
