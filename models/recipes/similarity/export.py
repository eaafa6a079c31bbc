"""Writes the fixed filters and the network trained by train.py to one ONNX file.

    python export.py RUN OUT.onnx

The two vectors are projected to one, as project.py has learned.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper

from fixed_filters import BUILT_IN, FixedFilters, descriptor, features_name
from network import CELLS, Learned, Residual


class Continued(descriptor.Graph):
    """The graph of the fixed filters, which is extended."""

    def __init__(self, model):
        super().__init__()
        self.nodes, self.constants = list(model.graph.node), list(model.graph.initializer)

    def name(self):
        self.names += 1
        return f'learned{self.names}'

    def half(self, value):
        """Stores weights as 16-bit floats."""
        return self.op('Cast', self.constant(value.detach().numpy(), np.float16), to=TensorProto.FLOAT)

    def whole(self, value):
        return self.constant(value.detach().numpy())

    def conv(self, x, layer):
        weight, offset = layer.folded()
        return self.op('Conv', x, self.half(weight), self.whole(offset), strides=[layer.stride] * 2, pads=[layer.padding] * 4)


def planes_name(model):
    """The output of the opponent planes relative to the mean luma, which is the input of the colour histogram."""
    return next(node.input[0] for node in model.graph.node if node.op_type == 'AveragePool' and list(node.attribute[0].ints) == [4, 4])


def maps(g, x, network):
    for down, more in zip(network.down, network.more):
        x = g.op('Relu', g.conv(x, down))
        if isinstance(more, Residual):
            within = g.conv(g.op('Relu', g.conv(x, more.first)), more.second)
            x = g.op('Relu', g.op('Add', x, within))
    return x


def read_off(g, x, network, side):
    def channels(start, end):
        return g.op('Slice', x, *(g.constant([value], np.int64) for value in (start, end, 1)))

    first = channels(0, network.half)
    second = g.op('Gather', channels(network.half, 2 * network.half), g.constant(np.arange(side)[::-1], np.int64), axis=3)
    both = g.op('Add', first, second)
    whole = g.flat(g.mean(both, [2, 3]), network.half)
    highest = g.flat(g.op('GlobalMaxPool', g.op('Max', first, second)), network.half)
    size = side // CELLS
    cells = g.flat(g.op('AveragePool', both, kernel_shape=[size, size], strides=[size, size]), network.half * CELLS * CELLS)
    return g.op('Concat', whole, highest, cells, axis=1)


def hidden(g, features, seen, network, fixed):
    """Combines the even part of the features, their scaling and the first layer into one matrix."""
    width = len(fixed.order)
    even = torch.zeros(width, fixed.width)
    even[torch.from_numpy(fixed.kept), torch.arange(fixed.width)] += 0.5
    even[torch.from_numpy(fixed.order[fixed.kept]), torch.arange(fixed.width)] += 0.5
    weight = network.hidden.weight
    known = (even / network.spread) @ weight[:, : fixed.width].T
    offset = network.hidden.bias - (network.middle / network.spread) @ weight[:, : fixed.width].T
    sum_of_both = g.op('Add', g.op('MatMul', features, g.half(known)), g.op('MatMul', seen, g.half(weight[:, fixed.width :].T)))
    return g.op('Relu', g.op('Add', sum_of_both, g.whole(offset)))


def combined(network, fixed, projection):
    model = onnx.load(BUILT_IN)
    planes, features = planes_name(model), features_name(model)
    for node in model.graph.node:
        node.output[:] = ['fixed' if name == 'embedding' else name for name in node.output]
    g = Continued(model)
    seen = read_off(g, maps(g, planes, network), network, descriptor.SIDE // 16)
    out = g.op('MatMul', hidden(g, features, seen, network, fixed), g.half(network.out.weight.T))
    learned = g.unit(g.op('Add', out, g.whole(network.out.bias)), 1e-12)
    both = g.op('MatMul', g.op('Concat', 'fixed', learned, axis=1), g.constant(projection['weights']))
    g.op('Identity', g.unit(g.op('Sub', both, g.constant(projection['offset'])), 1e-12))
    g.nodes[-1].output[0] = 'embedding'
    return descriptor.finish(g, 'embedding', projection['weights'].shape[1])


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('run', type=Path)
    arguments.add_argument('out', type=Path)
    chosen = arguments.parse_args()
    fixed = FixedFilters()
    network = Learned(fixed.width)
    network.load_state_dict(torch.load(chosen.run / 'learned.pt'))
    with torch.no_grad():
        model = combined(network.eval(), fixed, np.load(chosen.run / 'projection.npz'))
    chosen.out.write_bytes(model.SerializeToString())


if __name__ == '__main__':
    main()
