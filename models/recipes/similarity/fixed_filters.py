"""The fixed filters of the built-in model, as exported by models/descriptor."""

import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

MODELS = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(MODELS / 'descriptor'))
descriptor = __import__('make-descriptor')

BUILT_IN = MODELS / 'fixed-filters_v01' / 'model.onnx'


def features_name(model):
    """The tensor of all features, which is the last concatenation."""
    return [node.output[0] for node in model.graph.node if node.op_type == 'Concat'][-1]


class FixedFilters:
    """Returns the built-in vector of each picture, and its even features, which are the same for the mirror image."""

    def __init__(self):
        model = onnx.load(BUILT_IN)
        self.features = features_name(model)
        model.graph.output.append(onnx.helper.make_tensor_value_info(self.features, onnx.TensorProto.FLOAT, None))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(model.SerializeToString(), options)
        self.order = descriptor.mirror_order()
        self.kept = np.flatnonzero(self.order >= np.arange(len(self.order)))
        self.width = len(self.kept)

    def of(self, images):
        vectors, found = self.session.run(['embedding', self.features], {'image': images})
        return vectors, (found + found[:, self.order])[:, self.kept] / 2
