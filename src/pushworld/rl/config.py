"""The typed configuration of a training run, and its JSON or TOML file."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Meta, Struct

from pushworld.envs.contract import DEFAULT_MAX_STEPS
from pushworld.puzzle import PushWorldError

Settings = TypeVar("Settings", bound=Struct)

Count = Annotated[int, Meta(gt=0)]
Positive = Annotated[float, Meta(gt=0)]
Probability = Annotated[float, Meta(ge=0, le=1)]
Seed = Annotated[int, Meta(ge=0, lt=2**32)]
Int32Count = Annotated[int, Meta(gt=0, lt=2**31)]
"""A count that the device keeps in 32 bits."""


AGENT_FILE = "agent.zip"
"""The trained agent in the folder of a run with one seed; others have ``agent-SEED.zip``."""


class ConfigError(PushWorldError):
    """A configuration that is not valid."""


class NetworkConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The network.

    Attributes:
        kind: ``paper`` reads pixels as in the paper; ``small`` reads planes with two convolutions
            and dense layers; ``centred`` reads planes around the agent with dense layers only;
            ``iterated`` reads planes and applies one residual block `repeats` times with the same
            weights.
        channels: of every convolution; the paper does not state them.
        hidden: the sizes of the dense layers below the heads.
        repeats: how often ``iterated`` applies its block.
        repeats_choices: numbers of repeats in training with PPO or imitation: each iteration draws
            one of them, and evaluations use `repeats`. Each takes the time of one more compilation.
        objects: whether each movable without a goal has a plane of its own instead of one for all, so
            that touching ones differ; for ``iterated`` only. Puzzles with more of them do not fit.
        symmetric: whether evaluations take the mean of the scores over all symmetric views.
        convolution: how convolutions are computed: by the library's operation (``direct``), or as one
            matrix product over the rows around each row (``rows``). Both have the same weights and
            give the same function; for several seeds on narrow grids ``rows`` is faster on a GPU.
        first_weights: the initializer of the layers below the heads; the paper does not state it.
        precision: the type that convolutions and dense layers compute in; weights, heads and losses
            are always float32. On a GPU bfloat16 is faster, and precise enough for PPO.
    """

    kind: Literal["paper", "small", "centred", "iterated"] = "paper"
    channels: Count = 32
    hidden: tuple[Count, ...] = (256, 128)
    repeats: Count = 6
    repeats_choices: tuple[Count, ...] = ()
    objects: bool = False
    symmetric: bool = False
    convolution: Literal["direct", "rows"] = "direct"
    first_weights: Literal["lecun", "orthogonal"] = "lecun"
    precision: Literal["bfloat16", "float32"] = "float32"


class PPOConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Proximal policy optimisation; entropy cost, learning rate and epochs are the paper's.

    Attributes:
        environments: how many environments run in parallel.
        unroll: steps of each environment between two updates.
        minibatches: minibatches in an epoch.
        epochs: passes over the rollout in an update.
        value_cost: the weight of the value loss. Rewards are as large as 10; with a weight of 0.5
            the value loss dominates the shared layers for a long time.
        clip: how far the ratio of new to old probability may leave 1.
        max_gradient_norm: longer gradients are scaled down to this norm.
    """

    environments: Count = 2048
    unroll: Count = 32
    minibatches: Count = 128
    epochs: Count = 2
    learning_rate: Positive = 2e-4
    entropy_cost: float = 0.01
    value_cost: float = 0.1
    discount: Probability = 0.99
    gae_lambda: Probability = 0.95
    clip: Positive = 0.2
    max_gradient_norm: Positive = 10.0


class DQNConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Deep Q-learning with one-step targets; the paper's values where it states them, except the discount.

    Attributes:
        environments: how many environments run in parallel.
        batch: transitions in an update.
        samples_per_insert: how often a transition is sampled on average.
        epsilon: the probability of a random action.
        replay: the capacity of the replay buffer in transitions.
        warm_up: random steps before the first update.
        target_period: updates between two copies of the weights to the target network. The copy
            happens at the end of an iteration.
        double: whether to use double Q-learning: the online network selects the next action, the
            target network evaluates it.
        discount: the paper's is 1.0. With it DQN did not learn here: the values of states without a
            way to the goal sink without bound.
        max_abs_reward: rewards are clipped to this magnitude. A step costs 0.01, which is hard to
            learn beside a reward of 10.
        bootstrap_truncated: whether to bootstrap from the last state of a truncated episode.
        priority_exponent: transitions are sampled in proportion to the size of their last TD error,
            to the power of this; 0 samples all alike.
        importance_exponent: how far importance weights correct for that: 0 not at all, 1 fully.
    """

    environments: Count = 1024
    batch: Count = 256
    samples_per_insert: Count = 2
    learning_rate: Positive = 1e-4
    epsilon: Probability = 0.05
    discount: Probability = 0.99
    replay: Count = 1_048_576
    warm_up: Count = 16_384
    target_period: Count = 100
    double: bool = True
    max_abs_reward: Positive = 1.0
    bootstrap_truncated: bool = True
    max_gradient_norm: Positive = 10.0
    priority_exponent: Probability = 0.0
    importance_exponent: Probability = 0.4


class ImitationConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Imitation of shortest plans on the states that the network itself reaches (DAgger).

    Attributes:
        environments: how many environments run in parallel.
        batch: environments that take a step between two updates.
        random_starts: the share of episodes that start at a random state of their puzzle, of those
            with a plan, instead of the initial one.
        max_states: puzzles with more states, overlapping ones included, have no teacher, and are
            left out of the training. All distances are kept on the device, a byte for each state.
        averaging: how much of the moving average of the weights an update keeps; evaluations and
            the agent use the average.
        value_cost: the weight of the value loss.
        decay_steps: environment steps over which the learning rate falls to 1 %, as half a cosine;
            None keeps it as it is.
        weight_decay: how far an update with learning rate 1 would shrink the weights (AdamW).
        shuffle: whether the planes of goals, and those of movables without one, come in random order.
    """

    environments: Count = 16384
    batch: Count = 2048
    learning_rate: Positive = 1e-3
    random_starts: Probability = 0.5
    max_states: Int32Count = 16_777_216
    averaging: Probability = 0.999
    value_cost: float = 0.01
    discount: Probability = 0.99
    max_gradient_norm: Positive = 1.0
    decay_steps: Count | None = None
    weight_decay: Annotated[float, Meta(ge=0)] = 0.0
    shuffle: bool = False


class CurriculumConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Which training puzzles episodes of PPO get.

    Attributes:
        kind: ``uniform`` draws all alike; ``learnability`` prefers puzzles that are solved sometimes
            (SFL); ``replay`` prefers those where the value is far off, and those not seen for long (PLR).
        uniform: the share of episodes that get any puzzle all the same.
        memory: how much of the count of earlier episodes an iteration keeps, for ``learnability``.
        temperature: of the ranks, for ``replay``: smaller ones prefer the first ranks more.
        staleness: the share of ``replay`` that goes by the time since a puzzle was seen.
    """

    kind: Literal["uniform", "learnability", "replay"] = "uniform"
    uniform: Probability = 0.25
    memory: Probability = 0.9
    temperature: Positive = 0.3
    staleness: Probability = 0.1


class RunConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """A training run.

    Attributes:
        algorithm: ``ppo``, ``dqn`` or ``imitation``; only the settings of this one are used.
        start_from: the file of an agent with the same network, whose weights the run starts with.
        train: the training set, by a name that `pushworld.datasets.load_set` takes.
        test: the test set, or None.
        other_goals: how many copies of each training puzzle with other goals, drawn at random, imitation
            trains on as well. Some may have no plan from the initial state: their episodes start at
            states that have one.
        other_goals_states: puzzles with more states have no copies.
        seed: of all random numbers.
        seeds: the seeds of a run that trains several agents in one program, or how many of them,
            counted from `seed`.
        steps: environment steps of the whole run.
        max_steps: environment steps of an episode, at most.
        max_size: the largest width and height of a puzzle, or None: larger ones are not played, and
            count as not solved. The grid of all puzzles is as large as the largest, so a few large
            ones make every step slow.
        symmetries, random_placement: how episodes vary a puzzle, in training and in evaluation.
        log_every, evaluate_every, checkpoint_every: environment steps between two of these.
        evaluation_puzzles: how many puzzles of each set an evaluation plays, or None for all.
        devices: how many devices to use, or None for all; random numbers depend on it.
    """

    algorithm: Literal["ppo", "dqn", "imitation"] = "ppo"
    start_from: str | None = None
    train: str = "base/train"
    test: str | None = "base/test"
    other_goals: Annotated[int, Meta(ge=0)] = 0
    other_goals_states: Count = 4_194_304
    seed: Seed = 0
    seeds: tuple[Seed, ...] | Count | None = None
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
    curriculum: CurriculumConfig = CurriculumConfig()

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
        if self.imitation.environments % self.imitation.batch:
            raise ConfigError("imitation.batch must divide imitation.environments")
        if self.curriculum.kind != "uniform" and self.algorithm != "ppo":
            raise ConfigError(f"curriculum.kind is {self.curriculum.kind}: it needs ppo")
        if self.other_goals and self.algorithm != "imitation":
            raise ConfigError(f"other_goals is {self.other_goals}: it needs imitation")
        if network.objects and network.kind != "iterated":
            raise ConfigError("network.objects needs the network iterated")
        if not 1 <= len(set(self.all_seeds)) == len(self.all_seeds):
            raise ConfigError("seeds must be different seeds, one or more, or their number")
        if max(self.all_seeds) >= 2**32:
            raise ConfigError("seeds counts beyond the largest seed, 4294967295")
        if network.repeats_choices and (self.algorithm == "dqn" or network.kind != "iterated"):
            raise ConfigError(
                "network.repeats_choices needs ppo or imitation, and the network iterated"
            )

    @property
    def all_seeds(self) -> tuple[int, ...]:
        """The seeds that the run trains an agent for."""
        if isinstance(self.seeds, int):
            return tuple(range(self.seed, self.seed + self.seeds))
        return (self.seed,) if self.seeds is None else self.seeds

    def of_seed(self, seed: int) -> Self:
        """Returns the run of one of the seeds alone."""
        return msgspec.structs.replace(self, seed=seed, seeds=None)

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
        temporary = path.with_suffix(".partial")
        temporary.write_text(json.dumps(self.to_dict(), indent=2) + "\n", encoding="utf-8")
        temporary.replace(path)


def read_table(path: Path) -> Any:
    """Returns the content of a ``.json`` or ``.toml`` file, or raises ConfigError."""
    try:
        text = path.read_text(encoding="utf-8")
        return tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise ConfigError(f"{path} is not valid: {error}") from error


def convert_settings(kind: type[Settings], data: object) -> Settings:
    """Returns a mapping as typed settings, or raises ConfigError with a message of one line."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise ConfigError(_message(kind, str(error).replace("`", ""))) from error


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
