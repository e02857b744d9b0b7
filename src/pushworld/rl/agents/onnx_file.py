"""Networks of agents as ONNX files, which ONNX Runtime and many other programs evaluate."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pushworld.errors import PushWorldError
from pushworld.files import replaced

if TYPE_CHECKING:
    from pushworld.rl.evaluation.agents import Agent

OPSET, IR_VERSION = 20, 9
CELLS, CHANNEL_AXIS = (2, 3), (1,)
"""The axes of an array (batch, channels, height, width)."""

FLAX_EPSILON = 1e-6
"""What `flax.linen.LayerNorm` adds to the variance."""


class Graph:
    """An ONNX graph that grows by one operation at a time. Arrays are named by strings."""

    def __init__(self) -> None:
        try:
            import onnx
        except ImportError as error:
            raise PushWorldError(
                "ONNX files need onnx, not installed here: pip install 'pushworld[onnx]'"
            ) from error
        self._onnx = onnx
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}

    def constant(self, array: Any, dtype: type = np.float32) -> str:
        """Returns the name of a constant; equal constants are stored once."""
        value: NDArray[Any] = np.ascontiguousarray(array, dtype)
        name = f"{value.dtype}-{sha256(value.tobytes()).hexdigest()[:16]}-{value.shape}"
        if name not in self._constants:
            self._constants[name] = self._onnx.numpy_helper.from_array(value, name)
        return name

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        """Adds an operation and returns the name of its output."""
        output = f"{kind.lower()}_{len(self._nodes)}"
        self._nodes.append(self._onnx.helper.make_node(kind, inputs, [output], **attributes))
        return output

    def reduce(self, kind: str, array: str, axes: Sequence[int], keepdims: bool = True) -> str:
        """Adds a reduction over some axes."""
        return self.add(kind, array, self.constant(axes, np.int64), keepdims=int(keepdims))

    def convolve(self, cells: str, kernel: NDArray[Any], bias: Any, stride: int = 1) -> str:
        """Adds a convolution of a kernel (height, width, inputs, outputs) that keeps the grid's size.

        With a stride, the kernels tile the grid instead.
        """
        weights = np.asarray(kernel, np.float32).transpose(3, 2, 0, 1)
        pad = kernel.shape[0] // 2 if stride == 1 else 0
        return self.add(
            "Conv",
            cells,
            self.constant(weights),
            self.constant(bias),
            pads=[pad] * 4,
            strides=[stride] * 2,
        )

    def dense(self, cells: str, matrix: NDArray[Any], bias: Any) -> str:
        """Adds a dense layer over the channels of each cell."""
        return self.convolve(cells, np.asarray(matrix)[None, None], bias)

    def pooled(self, cells: str) -> str:
        """Adds the mean and the maximum over all cells, as channels of one cell."""
        mean, most = (self.reduce(each, cells, CELLS) for each in ("ReduceMean", "ReduceMax"))
        return self.add("Concat", mean, most, axis=1)

    def save(
        self,
        path: Path,
        inputs: tuple[str, list[str | int]],
        outputs: Sequence[tuple[str, str, list[str | int]]],
    ) -> None:
        """Checks and writes the graph. `outputs` are a public name, an array, and its shape."""
        onnx, helper = self._onnx, self._onnx.helper
        for name, array, _ in outputs:
            self._nodes.append(helper.make_node("Identity", [array], [name]))
        kind = onnx.TensorProto.FLOAT
        graph = helper.make_graph(
            self._nodes,
            "pushworld",
            [helper.make_tensor_value_info(inputs[0], kind, inputs[1])],
            [helper.make_tensor_value_info(name, kind, shape) for name, _, shape in outputs],
            [*self._constants.values()],
        )
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="pushworld"
        )
        model.ir_version = IR_VERSION
        onnx.checker.check_model(model, full_check=True)
        with replaced(path) as new:
            new.write_bytes(model.SerializeToString())


def export_policy(agent: Agent, output: Path) -> tuple[str, str]:
    """Writes the network of an agent in single precision; returns its inputs and its outputs in words.

    Raises:
        PushWorldError: if it cannot be exported, or if a package is missing.
    """
    from pushworld.envs.jax.pixels import NETWORK_PIXELS_PER_CELL
    from pushworld.envs.planes import AGENT

    config = agent.config.network
    graph, weights = Graph(), agent.weights["params"]
    (torso,) = (each for name, each in weights.items() if "Torso" in name)
    shape: list[str | int]
    if config.kind == "paper":
        side = NETWORK_PIXELS_PER_CELL
        name, shape = "pixels", ["batch", side * agent.height, side * agent.width, 3]
        cells = graph.add("Transpose", name, perm=[0, 3, 1, 2])
        first = torso["Dense_0"]
        kernel = np.asarray(first["kernel"]).reshape(side, side, 3, -1)
        cells = graph.add("Relu", graph.convolve(cells, kernel, first["bias"], stride=side))
        features, dense = _flat(graph, _convolutions(graph, cells, torso)), 1
    else:
        name, centred = "planes", config.kind == "centred"
        inputs = np.asarray(torso["Dense_0" if centred else "Conv_0"]["kernel"]).shape[-2]
        cells_around = (2 * agent.height - 1) * (2 * agent.width - 1)
        planes = inputs // cells_around if centred else inputs
        shape = ["batch", planes, agent.height, agent.width]
        if config.kind == "iterated":  # the same weights for every size
            shape[2:] = ["height", "width"]
        if centred:
            features, dense = _centred(graph, name, planes, agent, AGENT), 0
        elif config.kind == "small":
            features, dense = _flat(graph, _convolutions(graph, name, torso)), 0
        else:
            features, dense = _iterated(graph, name, torso, config.repeats, AGENT), 1
    for number in range(dense, dense + len(config.hidden)):
        features = graph.add("Relu", _product(graph, features, torso[f"Dense_{number}"]))
    logits = _product(graph, features, weights["Dense_0"])
    if agent.config.algorithm == "dqn":
        graph.save(output, (name, shape), [("action_values", logits, ["batch", 4])])
        return f"{name} {tuple(shape)}", "action_values"
    value = graph.reduce("ReduceSum", _product(graph, features, weights["Dense_1"]), (1,), False)
    graph.save(
        output, (name, shape), [("logits", logits, ["batch", 4]), ("value", value, ["batch"])]
    )
    return f"{name} {tuple(shape)}", "logits, value"


def _convolutions(graph: Graph, cells: str, torso: Any) -> str:
    for number in range(2):
        layer = torso[f"Conv_{number}"]
        cells = graph.add("Relu", graph.convolve(cells, layer["kernel"], layer["bias"]))
    return cells


def _centred(graph: Graph, name: str, planes: int, agent: Agent, agent_plane: int) -> str:
    """Adds the cells around the agent's first cell: as far as the grid reaches, zeros outside of it."""
    height, width = agent.height, agent.width
    wide = graph.add("Pad", name, graph.constant([0, 0, height - 1, width - 1] * 2, np.int64))
    rows = graph.add("Reshape", wide, graph.constant([0, planes, -1], np.int64))
    own = graph.add("Gather", name, graph.constant(agent_plane, np.int64), axis=1)
    first = graph.add("ArgMax", graph.add("Flatten", own, axis=1), axis=1)
    columns, row_length = graph.constant([width], np.int64), 3 * width - 2
    row = graph.add("Mul", graph.add("Div", first, columns), graph.constant([row_length], np.int64))
    corner = graph.add("Add", row, graph.add("Mod", first, columns))
    around = np.arange(2 * height - 1)[:, None] * row_length + np.arange(2 * width - 1)
    cells = graph.add("Add", corner, graph.constant(around.reshape(1, -1), np.int64))
    chosen = graph.add(
        "GatherND",
        graph.add("Transpose", rows, perm=[0, 2, 1]),
        graph.add("Unsqueeze", cells, graph.constant([2], np.int64)),
        batch_dims=1,
    )
    return graph.add("Flatten", graph.add("Transpose", chosen, perm=[0, 2, 1]), axis=1)


def _iterated(graph: Graph, planes: str, torso: Any, repeats: int, agent_plane: int) -> str:
    """Adds the torso ``iterated`` and returns its features."""

    def layer(name: str) -> tuple[Any, Any]:
        return torso[name]["kernel"], torso[name]["bias"]

    def normalised(cells: str) -> str:
        centred = graph.add("Sub", cells, graph.reduce("ReduceMean", cells, CHANNEL_AXIS))
        variance = graph.reduce("ReduceMean", graph.add("Mul", centred, centred), CHANNEL_AXIS)
        scale = graph.add("Sqrt", graph.add("Add", variance, graph.constant(FLAX_EPSILON)))
        norm = torso["LayerNorm_0"]
        scaled = graph.add("Mul", graph.add("Div", centred, scale), by_channel(norm["scale"]))
        return graph.add("Add", scaled, by_channel(norm["bias"]))

    def by_channel(values: Any) -> str:
        return graph.constant(np.asarray(values)[:, None, None])

    embedding = hidden = graph.convolve(planes, *layer("Conv_0"))
    for _ in range(repeats):
        normed = normalised(hidden)
        pooled = graph.dense(graph.pooled(normed), *layer("Dense_0"))
        both = graph.add("Concat", normed, embedding, axis=1)
        inner = graph.add("Add", graph.convolve(both, *layer("Conv_1")), pooled)
        inner = graph.convolve(graph.add("Relu", inner), *layer("Conv_2"))
        hidden = graph.add("Add", hidden, inner)
    hidden = normalised(hidden)
    agent = graph.add("Gather", planes, graph.constant([agent_plane], np.int64), axis=1)
    at_agent = graph.add(
        "Div",
        graph.reduce("ReduceSum", graph.add("Mul", hidden, agent), CELLS),
        graph.reduce("ReduceSum", agent, CELLS),
    )
    return graph.add("Flatten", graph.add("Concat", at_agent, graph.pooled(hidden), axis=1), axis=1)


def _flat(graph: Graph, cells: str) -> str:
    """Adds the channels of all cells in the order of Flax: row, column, channel."""
    return graph.add("Flatten", graph.add("Transpose", cells, perm=[0, 2, 3, 1]), axis=1)


def _product(graph: Graph, features: str, layer: Any) -> str:
    return graph.add(
        "Gemm", features, graph.constant(layer["kernel"]), graph.constant(layer["bias"])
    )
