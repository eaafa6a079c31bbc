"""Stores the large weights of an ONNX file as 8-bit integers, which the runtime converts to float32 when it opens
the file."""

import numpy
import onnx
from onnx import helper, numpy_helper

LEAST = 4096


def _axis(name, graph):
    """The axis of the outputs of a layer, each of which has its own scale: the last axis of a matrix, the first of
    other weights."""
    inputs = {each for node in graph.node if node.op_type in ('MatMul', 'Gemm') for each in node.input[1:2]}
    return -1 if name in inputs else 0


def _graphs(graph):
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from _graphs(attribute.g)


def shrink(path):
    model = onnx.load(path)
    graph = model.graph
    first, kept = [], []
    for tensor in graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != numpy.float32 or values.size < LEAST or values.ndim < 2:
            kept.append(tensor)
            continue
        axis = next((-1 for each in _graphs(graph) if _axis(tensor.name, each) == -1), 0)
        others = tuple(at for at in range(values.ndim) if at != axis % values.ndim)
        scale = numpy.maximum(numpy.abs(values).max(axis=others, keepdims=True) / 127, 1e-12).astype(numpy.float32)
        whole = numpy.round(values / scale).astype(numpy.int8)
        names = [f'{tensor.name}_{part}' for part in ('whole', 'scale', 'float')]
        kept += [numpy_helper.from_array(whole, names[0]), numpy_helper.from_array(scale, names[1])]
        first.append(helper.make_node('Cast', [names[0]], [names[2]], to=onnx.TensorProto.FLOAT))
        first.append(helper.make_node('Mul', [names[2], names[1]], [tensor.name]))
    nodes = list(graph.node)
    del graph.initializer[:]
    del graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend(first + nodes)
    onnx.save(model, path)
