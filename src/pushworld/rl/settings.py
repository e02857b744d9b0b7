"""The typed settings of networks and algorithms, with their defaults."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Count = Annotated[int, Meta(gt=0)]
Positive = Annotated[float, Meta(gt=0)]
Probability = Annotated[float, Meta(ge=0, le=1)]
Seed = Annotated[int, Meta(ge=0, lt=2**32)]
Int32Count = Annotated[int, Meta(gt=0, lt=2**31)]
"""A count that the device keeps in 32 bits."""


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
        scene: whether the planes are those of `pushworld.envs.jax.observation`, whose number does not depend on
            the puzzles: the agent then plays puzzles of any size with any number of objects and goals;
            for ``iterated`` only.
        symmetric: whether evaluations take the mean of the scores over all symmetric views.
        precision: the type that convolutions and dense layers compute in; weights, heads and losses
            are always float32. On a GPU bfloat16 is faster, and precise enough for PPO.
    """

    kind: Literal["paper", "small", "centred", "iterated"] = "paper"
    channels: Count = 32
    hidden: tuple[Count, ...] = (256, 128)
    repeats: Count = 6
    repeats_choices: tuple[Count, ...] = ()
    objects: bool = False
    scene: bool = False
    symmetric: bool = False
    precision: Literal["bfloat16", "float32"] = "float32"


class LearnerConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """What all algorithms have.

    Attributes:
        environments: how many environments run in parallel.
        discount: how much less a reward counts one step later.
        max_gradient_norm: longer gradients are scaled down to this norm.
    """

    environments: Count
    learning_rate: Positive
    discount: Probability = 0.99
    max_gradient_norm: Positive = 10.0


class PPOConfig(LearnerConfig, frozen=True, forbid_unknown_fields=True):
    """Proximal policy optimisation; entropy cost, learning rate and epochs are the paper's.

    Attributes:
        unroll: steps of each environment between two updates.
        minibatches: minibatches in an epoch.
        epochs: passes over the rollout in an update.
        value_cost: the weight of the value loss. Rewards are as large as 10; with a weight of 0.5
            the value loss dominates the shared layers for a long time.
        clip: how far the ratio of new to old probability may leave 1.
    """

    environments: Count = 2048
    unroll: Count = 32
    minibatches: Count = 128
    epochs: Count = 2
    learning_rate: Positive = 2e-4
    entropy_cost: float = 0.01
    value_cost: float = 0.1
    gae_lambda: Probability = 0.95
    clip: Positive = 0.2


class DQNConfig(LearnerConfig, frozen=True, forbid_unknown_fields=True):
    """Deep Q-learning with one-step targets; the paper's values where it states them, except the discount.

    Attributes:
        batch: transitions in an update.
        samples_per_insert: how often a transition is sampled on average.
        epsilon: the probability of a random action.
        largest_epsilon: with it, the training environments have probabilities from `epsilon` to this
            one, in a geometric sequence. The best actions walk in circles where the network knows
            little, and then find fewer solutions than random ones.
        replay: the capacity of the replay buffer in transitions.
        warm_up: random steps before the first update.
        target_period: updates between two copies of the weights to the target network. The copy
            happens at the end of an iteration.
        averaging: how much of the moving average of the weights an update keeps. Evaluations and the
            agent use the average, whose best actions change less from update to update; 0 uses the
            last weights.
        action_gap: the share of the distance to the best action that the target of another action loses
            (advantage learning). Values of actions then differ by 1 / (1 - share) times as much, so
            that errors of the network change the best action less often.
        discount: the paper's is 1.0. With it DQN did not learn here: the values of states without a
            way to the goal sink without bound.
    """

    environments: Count = 1024
    batch: Count = 256
    samples_per_insert: Count = 2
    learning_rate: Positive = 1e-4
    epsilon: Probability = 0.05
    largest_epsilon: Probability | None = None
    replay: Count = 1_048_576
    warm_up: Count = 16_384
    target_period: Count = 100
    averaging: Probability = 0.0
    action_gap: Annotated[float, Meta(ge=0, lt=1)] = 0.0


class ImitationConfig(LearnerConfig, frozen=True, forbid_unknown_fields=True):
    """Imitation of shortest plans on the states that the network itself reaches (DAgger).

    Attributes:
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
    max_gradient_norm: Positive = 1.0
    decay_steps: Count | None = None
    weight_decay: Annotated[float, Meta(ge=0)] = 0.0
    shuffle: bool = False
