"""What a training run is: a typed description that a JSON or TOML file holds, and that repeats it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Self, TypeVar, Union, get_args, get_origin, get_type_hints

from pushworld.envs.contract import DEFAULT_MAX_STEPS
from pushworld.puzzle import PushWorldError

Built = TypeVar("Built")

POSITIVE = (
    *("steps", "max_steps", "log_every", "evaluate_every", "checkpoint_every"),
    *("network.channels", "network.repeats"),
    *("ppo.environments", "ppo.unroll", "ppo.minibatches", "ppo.epochs"),
    *("ppo.learning_rate", "ppo.clip", "ppo.max_gradient_norm"),
    *("dqn.environments", "dqn.batch", "dqn.samples_per_insert", "dqn.replay", "dqn.warm_up"),
    *("dqn.target_period", "dqn.learning_rate", "dqn.max_abs_reward", "dqn.max_gradient_norm"),
)
SHARES = ("ppo.discount", "ppo.gae_lambda", "dqn.discount", "dqn.epsilon")
COUNTED = ("max_steps", "log_every")
"""Settings of numbers that the device counts up to, in 32 bits."""


class ConfigError(PushWorldError):
    """A description of a run that makes no sense."""


@dataclass(frozen=True)
class NetworkConfig:
    """The network.

    Attributes:
        kind: ``paper`` reads pixels as in the paper; ``small`` reads planes with two convolutions
            and dense layers; ``centred`` reads planes around the agent with dense layers only;
            ``iterated`` reads planes and applies one residual block `repeats` times with the same
            weights.
        channels: of every convolution; the paper does not state them.
        hidden: the sizes of the dense layers below the heads.
        repeats: how often ``iterated`` applies its block.
        first_weights: how they are drawn below the heads, which the paper does not state.
        precision: in which numbers convolutions and dense layers compute; weights, heads and
            losses are float32 always. On a GPU bfloat16 is faster, and does for PPO.
    """

    kind: Literal["paper", "small", "centred", "iterated"] = "paper"
    channels: int = 32
    hidden: tuple[int, ...] = (256, 128)
    repeats: int = 6
    first_weights: Literal["lecun", "orthogonal"] = "lecun"
    precision: Literal["bfloat16", "float32"] = "float32"


@dataclass(frozen=True)
class PPOConfig:
    """Proximal policy optimisation; entropy, learning rate and epochs are the paper's.

    Attributes:
        environments: how many are stepped at once.
        unroll: how many steps each takes between two updates.
        minibatches: into how many parts an epoch divides these steps.
        epochs: how often an update goes through them.
        value_cost: how much the value's loss counts beside the policy's. Rewards are as large as
            10, so that at 0.5 the layers below both heads serve the value alone for long.
        clip: how far the ratio of new to old probability counts.
        max_gradient_norm: longer gradients are scaled down to it.
    """

    environments: int = 2048
    unroll: int = 32
    minibatches: int = 128
    epochs: int = 2
    learning_rate: float = 2e-4
    entropy_cost: float = 0.01
    value_cost: float = 0.1
    discount: float = 0.99
    gae_lambda: float = 0.95
    clip: float = 0.2
    max_gradient_norm: float = 10.0


@dataclass(frozen=True)
class DQNConfig:
    """Deep Q-learning, one-step; the numbers that the paper states are its own but for the discount.

    Attributes:
        environments: how many are stepped at once.
        batch: how many transitions an update reads.
        samples_per_insert: how often a transition is read on average.
        epsilon: how often an action is random.
        replay: how many transitions are kept.
        warm_up: how many random steps are taken before the first update.
        target_period: after how many updates the target network follows, at the end of an
            iteration.
        double: whether the learning network chooses the action that the target network values.
        discount: how much less a step's future is worth. The paper's is 1.0, with which it did
            not learn here: where no goal can be reached, nothing holds the values.
        max_abs_reward: rewards beyond it count as this much. A step costs 0.01, which a network
            hardly sees beside 10 for a solution.
        bootstrap_truncated: whether a truncated step is worth what may follow, or its reward alone.
    """

    environments: int = 1024
    batch: int = 256
    samples_per_insert: int = 2
    learning_rate: float = 1e-4
    epsilon: float = 0.05
    discount: float = 0.99
    replay: int = 1_048_576
    warm_up: int = 16_384
    target_period: int = 100
    double: bool = True
    max_abs_reward: float = 1.0
    bootstrap_truncated: bool = True
    max_gradient_norm: float = 10.0


@dataclass(frozen=True)
class RunConfig:
    """A training run.

    Attributes:
        algorithm: ``ppo`` or ``dqn``; only its part below is used.
        train: the set to learn from, by a name that `pushworld.datasets.load_set` takes.
        test: the set to test on, or None.
        steps: how many environment steps to take.
        max_steps: the length of an episode.
        symmetries, random_placement: how episodes vary a puzzle, in training and in testing.
        log_every, evaluate_every, checkpoint_every: environment steps between two of them.
        evaluation_puzzles: how many puzzles of each set an evaluation plays, or None for all.
        devices: how many share the work, or None for all there are; random choices depend on it.
    """

    algorithm: Literal["ppo", "dqn"] = "ppo"
    train: str = "base/train"
    test: str | None = "base/test"
    seed: int = 0
    steps: int = 50_000_000
    max_steps: int = DEFAULT_MAX_STEPS
    symmetries: bool = True
    random_placement: bool = True
    log_every: int = 1_000_000
    evaluate_every: int = 5_000_000
    checkpoint_every: int = 20_000_000
    evaluation_puzzles: int | None = None
    devices: int | None = None
    network: NetworkConfig = field(default_factory=NetworkConfig)
    ppo: PPOConfig = field(default_factory=PPOConfig)
    dqn: DQNConfig = field(default_factory=DQNConfig)

    def __post_init__(self) -> None:
        """Checks what the algorithms rely on."""
        settings = _flat(self.to_dict())
        for name in POSITIVE:
            _require(settings[name] > 0, f"{name} must be positive")
        for name in SHARES:
            _require(0 <= settings[name] <= 1, f"{name} must be between 0 and 1")
        for name in COUNTED:
            _require(settings[name] < 2**31, f"{name} must be less than 2,147,483,648")
        _require(min(self.network.hidden, default=1) > 0, "network.hidden must be positive sizes")
        _require(
            self.evaluation_puzzles is None or self.evaluation_puzzles > 0,
            "evaluation_puzzles must be positive, or null for all",
        )
        _require(0 <= self.seed < 2**32, "seed must be between 0 and 4,294,967,295")
        ppo, dqn = self.ppo, self.dqn
        _require(
            ppo.environments * ppo.unroll % ppo.minibatches == 0,
            "ppo.minibatches must divide ppo.environments * ppo.unroll",
        )
        _require(
            dqn.environments * dqn.samples_per_insert % dqn.batch == 0,
            "dqn.batch must divide dqn.environments * dqn.samples_per_insert",
        )
        _require(
            dqn.replay % dqn.environments == 0, "dqn.replay must be a multiple of dqn.environments"
        )
        _require(
            dqn.warm_up <= dqn.replay and dqn.warm_up % dqn.environments == 0,
            "dqn.warm_up must be a multiple of dqn.environments, at most dqn.replay",
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Returns the run that a mapping describes; what it leaves out has its default."""
        return built(cls, data)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Returns the run that a ``.json`` or ``.toml`` file describes, or raises ConfigError."""
        try:
            text = path.read_text(encoding="utf-8")
            data = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
        except OSError as error:
            raise ConfigError(f"{path} cannot be read: {error.strerror or error}") from error
        except ValueError as error:
            raise ConfigError(f"{path} is not valid: {error}") from error
        try:
            return cls.from_dict(data)
        except ConfigError as error:
            raise ConfigError(f"{path}: {error}") from error

    def to_dict(self) -> dict[str, Any]:
        """Returns a mapping that `from_dict` turns into the same run."""
        return asdict(self)

    def differing(self, other: Self) -> dict[str, Any]:
        """Returns by their names those settings that are others in the other run."""
        others = _flat(other.to_dict())
        return {key: value for key, value in _flat(self.to_dict()).items() if value != others[key]}

    def save(self, path: Path) -> None:
        """Writes the run as JSON, all of it or nothing."""
        unfinished = path.with_suffix(".partial")
        unfinished.write_text(json.dumps(self.to_dict(), indent=2) + "\n", encoding="utf-8")
        unfinished.replace(path)


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ConfigError(message)


def _flat(data: Mapping[str, Any], where: str = "") -> dict[str, Any]:
    """Returns the values of a table and of those in it, by names such as ``ppo.unroll``."""
    flat: dict[str, Any] = {}
    for key, value in data.items():
        flat |= _flat(value, f"{where}{key}.") if isinstance(value, dict) else {where + key: value}
    return flat


def built(kind: type[Built], data: object, where: str = "") -> Built:
    """Returns an instance of a dataclass from a mapping, or raises ConfigError.

    Args:
        kind: the dataclass; the keys of the mapping and the types of its values must fit.
        data: the mapping.
        where: what messages call it, if it is part of another one.
    """
    if not isinstance(data, Mapping):
        raise ConfigError(f"{where or 'the configuration'} must be a table of names and values")
    hints = get_type_hints(kind)
    names = [each.name for each in fields(kind)]  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    for key, value in data.items():
        path = f"{where}.{key}" if where else str(key)
        if key not in names:
            close = get_close_matches(str(key), names, 1)
            hint = f"did you mean {close[0]}?" if close else f"use {', '.join(names)}"
            raise ConfigError(f"there is no setting {path}: {hint}")
        values[key] = _value(hints[key], value, path)
    return kind(**values)


def _value(kind: Any, value: object, where: str) -> Any:
    """Returns a value as the type that a field has, or raises ConfigError."""
    if is_dataclass(kind):
        return built(kind, value, where)  # type: ignore[arg-type]
    origin, options = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        if value is None and type(None) in options:
            return None
        return _value(next(each for each in options if each is not type(None)), value, where)
    if origin is Literal:
        if value in options:
            return value
        raise ConfigError(f"{where} is {value!r}: use {' or '.join(map(str, options))}")
    if origin is tuple and isinstance(value, list | tuple):
        return tuple(_value(options[0], each, where) for each in value)
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if (
        isinstance(kind, type)
        and isinstance(value, kind)
        and not (kind is int and isinstance(value, bool))
    ):
        return value
    raise ConfigError(f"{where} is {value!r}: it must be of type {getattr(kind, '__name__', kind)}")
