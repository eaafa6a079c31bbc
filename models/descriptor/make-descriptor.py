"""Makes the built-in embedding: fixed filters as ONNX operations, and a linear projection learned from generated images.

    python make-descriptor.py TRAINING_IMAGES CALIBRATION_IMAGES

The two files come from training-images.ts, of different seeds. Writes model.onnx and the calibrated cosines into
the manifest.json of the model folder fixed-filters_v00. Needs numpy, onnx and onnxruntime.
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

SIDE = 128
COPIES = 9
PER_FAMILY = 5
DIMENSION = 320


class Graph:
    """Nodes and constants of an ONNX graph, named as they come."""

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
    """Overlapping Gaussian windows, one row a cell."""
    centres = (np.arange(cells) + 0.5) * size / cells
    spread = 0.45 * size / cells
    rows = np.exp(-0.5 * ((np.arange(size)[None] + 0.5 - centres[:, None]) / spread) ** 2)
    return rows / rows.sum(1, keepdims=True)


def pool(g, x, channels, size, cells):
    rows = windows(cells, size)
    across = g.op("MatMul", x, rows.T)
    return g.flat(g.op("MatMul", rows, across), channels * cells * cells)


def oriented_gradients(g, grey, size, cells):
    """Gradient strength in eight directions, softly assigned; pooled in cells and over the whole."""
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
    """Parts of the picture beyond each of a set of planes of the colour space, in quarters and over the whole."""
    random = np.random.default_rng(5)
    directions = random.normal(size=(24, 3)) * [0.6, 2.5, 2.5]
    offsets = random.uniform(-0.5, 0.5, 24) - directions[:, 0] * 0.5
    small = g.op("AveragePool", planes, kernel_shape=[4, 4], strides=[4, 4])
    beyond = g.op("Clip", g.op("Conv", small, directions[:, :, None, None], offsets), np.float32(0), np.float32(1))
    return [g.op("Sqrt", g.op("Add", pool(g, beyond, 24, SIDE // 4, cells), np.float32(1e-3))) for cells in (1, 2)]


def texture(g, levels):
    """Energy of each band, on a logarithmic scale, beside the next coarser."""
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
    # A brighter copy has the same picture: measure everything against the mean luma.
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


def learn_projection(training, dimension):
    """Whitens what copies of a picture (and, less, pictures of one family) differ in; keeps what tells pictures apart."""
    within_family, ridge, flattening = 0.3, 0.1, 0.25
    count = len(training) // COPIES
    mean = training.mean(0)
    x = (training - mean).reshape(count, COPIES, -1)
    pictures = x.mean(1)
    families = pictures.reshape(-1, PER_FAMILY, x.shape[2]).mean(1)
    of_copies = (x - pictures[:, None]).reshape(count * COPIES, -1)
    of_family = (pictures.reshape(-1, PER_FAMILY, x.shape[2]) - families[:, None]).reshape(count, -1)
    scatter = of_copies.T @ of_copies / len(of_copies) + within_family * of_family.T @ of_family / len(of_family)
    scatter += ridge * np.trace(scatter) / len(scatter) * np.eye(len(scatter))
    values, vectors = np.linalg.eigh(scatter)
    whiten = vectors / np.sqrt(values)
    whitened = pictures @ whiten
    values, vectors = np.linalg.eigh(whitened.T @ whitened / count)
    order = np.argsort(-values)[:dimension]
    projection = whiten @ vectors[:, order] * values[order] ** (-flattening / 2)
    return mean, projection / np.abs(projection).max()


def embedding_model(mean, projection):
    g = Graph()
    centred = g.op("Sub", features(g, "image"), mean)
    weights = g.op("Cast", g.constant(projection, np.float16), to=TensorProto.FLOAT)
    g.op("Identity", g.unit(g.op("MatMul", centred, weights), 1e-12))
    g.nodes[-1].output[0] = "embedding"
    return finish(g, "embedding", projection.shape[1])


def calibrate(embeddings):
    """The cut keeps 97 % of the copies; the coarser levels follow the cosines found within families."""
    y = embeddings.reshape(-1, COPIES, embeddings.shape[1])
    originals = y[:, 0]
    copies = np.einsum("nkd,nd->nk", y[:, 1:], originals)
    among = originals @ originals.T
    family = np.arange(len(y)) // PER_FAMILY
    others = ~np.eye(len(y), dtype=bool)
    siblings = among[(family[:, None] == family[None]) & others]
    cut = float(np.quantile(copies, 0.03))
    false = (np.einsum("nkd,md->nkm", y[:, 1:], originals) >= cut).sum() - (copies >= cut).sum()
    true = (copies >= cut).sum()
    print(f"cut {cut:.3f}: recall {true / copies.size:.4f}, precision {true / (true + false):.4f}")
    print("unrelated", np.quantile(among[family[:, None] != family[None]], [0.5, 0.9, 0.99, 0.999]))
    ladder = [cut, *(float(np.quantile(siblings, q)) for q in (0.9, 0.7, 0.5, 0.3))]
    return round(cut, 3), [round(v, 3) for v in ladder]


def main(training_path, calibration_path):
    folder = Path(__file__).parent.parent / "fixed-filters_v00"
    images = [np.fromfile(p, np.uint8).reshape(-1, SIDE, SIDE, 3) for p in (training_path, calibration_path)]
    mean, projection = learn_projection(raw_features(images[0]).astype(np.float64), DIMENSION)
    model = embedding_model(mean, projection)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["nearDuplicateCosine"], manifest["ladder"] = calibrate(run(model, images[1]))
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
