"""Makes the built-in embedding: fixed filters as ONNX operations, and projections learned from generated images.

    python make-descriptor.py TRAINING_IMAGES

The file comes from training-images.ts. Writes model.onnx into the model folder fixed-filters_v01; calibrate.ts then
writes the cosines of its manifest. Needs numpy, onnx and onnxruntime.

A picture and its mirror image get the same vector: mirroring only permutes the features, so each set of features
splits into an even part, which stays the same, and an odd part, which changes its sign and counts by its size alone.
"""

import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

SIDE = 128
PER_FAMILY = 5
EVEN, ODD = 400, 64
DIMENSION = 192
# Weights of the original and of the distortions in the order of photographs.ts; distortions that move content
# weigh more.
WEIGHTS = np.array([0, 1, 3, 1, 1, 1, 1, 1, 3, 3, 1, 1, 1])
COPIES, MIRROR = len(WEIGHTS), 11


class Graph:
    """Nodes and constants of an ONNX graph, numbered in the order of creation."""

    def __init__(self):
        self.nodes, self.constants, self.names = [], [], 0

    def name(self):
        self.names += 1
        return f"t{self.names}"

    def constant(self, value, dtype=np.float32):
        name = self.name()
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value, dtype=dtype), name))
        return name

    def op(self, kind, *inputs, **attributes):
        inputs = [i if isinstance(i, str) else self.constant(i) for i in inputs]
        name = self.name()
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def flat(self, x, width):
        return self.op("Reshape", x, self.constant([-1, width], np.int64))

    def sum(self, x, axes, keep=1):
        return self.op("ReduceSum", x, self.constant(axes, np.int64), keepdims=keep)

    def mean(self, x, axes):
        return self.op("ReduceMean", x, self.constant(axes, np.int64), keepdims=1)

    def unit(self, x, floor=1e-6):
        squares = self.sum(self.op("Mul", x, x), [-1])
        return self.op("Div", x, self.op("Sqrt", self.op("Add", squares, np.float32(floor))))


def windows(cells, size):
    """Overlapping Gaussian windows, one row per cell."""
    centres = (np.arange(cells) + 0.5) * size / cells
    spread = 0.45 * size / cells
    rows = np.exp(-0.5 * ((np.arange(size)[None] + 0.5 - centres[:, None]) / spread) ** 2)
    return rows / rows.sum(1, keepdims=True)


def pool(g, x, channels, size, cells):
    rows = windows(cells, size)
    across = g.op("MatMul", x, rows.T)
    return g.flat(g.op("MatMul", rows, across), channels * cells * cells)


def oriented_gradients(g, grey, size, cells):
    """Gradient strength in eight directions with soft assignment, averaged in cells and over the whole picture."""
    angles = np.arange(8) * np.pi / 4
    sobel = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]) / 8
    kernels = np.stack([np.cos(a) * sobel + np.sin(a) * sobel.T for a in angles])[:, None]
    padded = g.op("Pad", grey, g.constant([0, 0, 1, 1, 0, 0, 1, 1], np.int64), mode="edge")
    response = g.op("Relu", g.op("Conv", padded, kernels))
    energy = g.op("Mul", response, response)
    strength = g.op("Sqrt", g.op("Add", g.sum(energy, [1]), np.float32(1.5e-3**2)))
    oriented = g.op("Div", energy, strength)
    local = pool(g, oriented, 8, size, cells)
    overall = g.flat(g.mean(oriented, [2, 3]), 8)
    return [g.op("LpNormalization", g.op("Sqrt", g.op("Add", b, np.float32(1e-4)))) for b in (local, overall)]


def colour_layout(g, planes):
    cells = 6
    luma = pool(g, g.op("Slice", planes, *(g.constant([v], np.int64) for v in (0, 1, 1))), 1, SIDE, cells)
    chroma = pool(g, g.op("Slice", planes, *(g.constant([v], np.int64) for v in (1, 3, 1))), 2, SIDE, cells)
    centred = g.op("Sub", luma, g.mean(luma, [1]))
    return [g.unit(centred, 1e-2), g.op("Tanh", g.op("Mul", chroma, np.float32(2)))]


def colour_histogram(g, planes):
    """The share of the picture beyond each of a set of planes in colour space, in quarters and over the whole."""
    random = np.random.default_rng(5)
    directions = random.normal(size=(24, 3)) * [0.6, 2.5, 2.5]
    offsets = random.uniform(-0.5, 0.5, 24) - directions[:, 0] * 0.5
    small = g.op("AveragePool", planes, kernel_shape=[4, 4], strides=[4, 4])
    beyond = g.op("Clip", g.op("Conv", small, directions[:, :, None, None], offsets), np.float32(0), np.float32(1))
    return [g.op("Sqrt", g.op("Add", pool(g, beyond, 24, SIDE // 4, cells), np.float32(1e-3))) for cells in (1, 2)]


def texture(g, levels):
    """The energy of each frequency band and of the next coarser one, on a logarithmic scale."""
    blocks = []
    for grey, size in levels:
        padded = g.op("Pad", grey, g.constant([0, 0, 1, 1, 0, 0, 1, 1], np.int64), mode="edge")
        laplacian = np.array([[-1, -2, -1], [-2, 12, -2], [-1, -2, -1]])[None, None] / 12
        band = g.op("Conv", padded, laplacian)
        power = pool(g, g.op("Mul", band, band), 1, size, 3)
        blocks.append(g.op("Mul", g.op("Log", g.op("Add", power, np.float32(1e-5))), np.float32(0.1)))
    return blocks


def features(g, image):
    planes = g.op("Transpose", g.op("Cast", image, to=TensorProto.FLOAT), perm=[0, 3, 1, 2])
    opponent = np.array([[0.299, 0.587, 0.114], [-0.169, -0.331, 0.5], [0.5, -0.419, -0.081]]) / 255
    planes = g.op("Conv", planes, opponent[:, :, None, None])
    luma = g.op("Slice", planes, *(g.constant([v], np.int64) for v in (0, 1, 1)))
    # Brightness must not change the features, so all planes are relative to the mean luma.
    gain = g.op("Add", g.mean(luma, [2, 3]), np.float32(0.06))
    planes = g.op("Mul", g.op("Div", planes, gain), np.float32(0.45))
    luma = g.op("Slice", planes, *(g.constant([v], np.int64) for v in (0, 1, 1)))
    binomial = np.outer([1, 2, 1], [1, 2, 1])[None, None] / 16
    fine = g.op("Conv", luma, binomial, pads=[1, 1, 1, 1])
    levels = [(fine, SIDE)]
    for _ in range(3):
        grey, size = levels[-1]
        levels.append((g.op("AveragePool", grey, kernel_shape=[2, 2], strides=[2, 2]), size // 2))
    blocks = []
    for (grey, size), cells in zip(levels[1:], (8, 6, 4)):
        blocks += oriented_gradients(g, grey, size, cells)
    blocks += colour_layout(g, planes) + colour_histogram(g, planes) + texture(g, levels)
    return g.op("Concat", *blocks, axis=1)


def finish(g, output, width):
    graph = helper.make_graph(
        g.nodes,
        "descriptor",
        [helper.make_tensor_value_info("image", TensorProto.UINT8, ["n", SIDE, SIDE, 3])],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["n", width])],
        g.constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.checker.check_model(model)
    return model


def run(model, images, batch=64):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    return np.concatenate([session.run(None, {"image": images[i : i + batch]})[0] for i in range(0, len(images), batch)])


def raw_features(images):
    g = Graph()
    out = features(g, "image")
    return run(finish(g, out, None), images)


def mirror_order():
    """The index of each feature of a mirrored picture among the features of the picture, in the order of
    `features`."""
    gradients = [(8, cells) for size in (8, 6, 4) for cells in (size, 1)]
    others = [(1, 6), (2, 6), (24, 1), (24, 2), *[(1, 3)] * 4]
    orders, start = [], 0
    for channels, cells in gradients + others:
        order = np.arange(channels * cells * cells).reshape(channels, cells, cells)[:, :, ::-1]
        if channels == 8:
            order = order[(4 - np.arange(8)) % 8]
        orders.append(order.ravel() + start)
        start += order.size
    return np.concatenate(orders)


def learn_projection(vectors, dimension):
    """Whitens the differences between copies of a picture and, with less weight, between pictures of a family."""
    within_family, ridge = 0.3, 0.1
    width = vectors.shape[1]
    copies = vectors.reshape(-1, COPIES, width)
    pictures = copies.mean(1)
    families = pictures.reshape(-1, PER_FAMILY, width)
    of_family = (families - families.mean(1, keepdims=True)).reshape(-1, width)
    weights = np.sqrt(WEIGHTS / (2 * WEIGHTS.sum()))[:, None]
    of_copies = ((copies - copies[:, :1]) * weights).reshape(-1, width)
    scatter = (of_copies.T @ of_copies + within_family * of_family.T @ of_family) / len(pictures)
    scatter += ridge * np.trace(scatter) / width * np.eye(width)
    values, vectors = np.linalg.eigh(scatter)
    whiten = vectors / np.sqrt(values)
    whitened = pictures @ whiten
    values, vectors = np.linalg.eigh(whitened.T @ whitened / len(pictures))
    return whiten @ vectors[:, np.argsort(-values)[:dimension]]


def learn(training):
    """Returns the weights of: vector = features @ even + |features @ odd| @ sizes - mean."""
    order = mirror_order()
    fixed = np.flatnonzero(order == np.arange(len(order)))
    pairs = np.flatnonzero(order > np.arange(len(order)))
    sums = np.zeros((len(order), len(fixed) + len(pairs)))
    differences = np.zeros((len(order), len(pairs)))
    sums[fixed, np.arange(len(fixed))] = 1
    for sign, rows in ((1, pairs), (-1, order[pairs])):
        sums[rows, len(fixed) + np.arange(len(pairs))] = differences[rows, np.arange(len(pairs))] = np.sqrt(0.5)
        differences[rows, np.arange(len(pairs))] *= sign
    upright = (training @ differences).reshape(-1, COPIES, len(pairs))
    upright[:, MIRROR] *= -1
    odd = differences @ learn_projection(upright.reshape(len(training), -1), ODD)
    even = sums @ learn_projection((training - training.mean(0)) @ sums, EVEN)
    both = np.concatenate([training @ even, np.abs(training @ odd)], 1)
    projection = learn_projection(both - both.mean(0), DIMENSION)
    projection /= np.abs(even @ projection[:EVEN]).max()
    return even @ projection[:EVEN], odd, projection[EVEN:], both.mean(0) @ projection


def embedding_model(even, odd, sizes, mean):
    g = Graph()
    half = lambda value: g.op("Cast", g.constant(value, np.float16), to=TensorProto.FLOAT)
    found = features(g, "image")
    size = g.op("MatMul", g.op("Abs", g.op("MatMul", found, half(odd / np.abs(odd).max()))), sizes * np.abs(odd).max())
    vector = g.op("Sub", g.op("Add", g.op("MatMul", found, half(even)), size), mean)
    g.op("Identity", g.unit(vector, 1e-12))
    g.nodes[-1].output[0] = "embedding"
    return finish(g, "embedding", DIMENSION)


def main(training_path):
    training = np.fromfile(training_path, np.uint8).reshape(-1, SIDE, SIDE, 3)
    model = embedding_model(*learn(raw_features(training).astype(np.float64)))
    (Path(__file__).parent.parent / "fixed-filters_v01" / "model.onnx").write_bytes(model.SerializeToString())


if __name__ == "__main__":
    main(*sys.argv[1:])
