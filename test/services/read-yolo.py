"""Reads YOLO folders with Ultralytics' own parser. It needs no torch, but its package imports it everywhere: names of torch are classes that do nothing."""

import importlib.metadata
import os
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

ABSENT = ("torch", "torchvision")


class Named(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return nothing(name)


def nothing(name):
    body = {"__init__": lambda self, *_, **__: None, "__call__": lambda self, *given, **_: given[0] if given else self}
    return Named(name, (Warning,), body)


class Absent(ModuleType):
    __version__ = "0.0.0"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return nothing(name)


class Finder:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return ModuleSpec(name, cls, is_package=True) if name.split(".")[0] in ABSENT else None

    @staticmethod
    def create_module(spec):
        return Absent(spec.name)

    @staticmethod
    def exec_module(module):
        pass


def parser():
    versions = importlib.metadata.version
    importlib.metadata.version = lambda name: Absent.__version__ if name in ABSENT else versions(name)
    sys.meta_path.insert(0, Finder)
    os.environ["YOLO_OFFLINE"] = "true"
    from ultralytics.data.utils import img2label_paths, verify_image_label
    from ultralytics.utils import YAML

    sys.meta_path.remove(Finder)
    importlib.metadata.version = versions
    return YAML, img2label_paths, verify_image_label


def yolo(folder):
    YAML, img2label_paths, verify_image_label = parser()
    data = YAML.load(folder / "data.yaml")
    points, values = data.get("kpt_shape", (0, 0))
    images = sorted(str(path) for path in (folder / data["train"]).rglob("*.jpg"))
    found = []
    for image, labels in zip(images, img2label_paths(images)):
        given = (image, labels, "", points > 0, data["nc"], points, values, False)
        _, boxes, size, segments, keypoints, missing, _, _, corrupt, message = verify_image_label(given)
        assert missing == corrupt == 0 and message == "", message
        height, width = size
        for at, (number, x, y, w, h) in enumerate(boxes.tolist()):
            box = [(x - w / 2) * width, (y - h / 2) * height, w * width, h * height]
            kept = {"label": data["names"][int(number)], "bbox": [round(value, 2) for value in box]}
            if segments:
                kept["points"] = [[round(px * width, 2), round(py * height, 2)] for px, py in segments[at].tolist()]
            if keypoints is not None:
                kept["points"] = [[round(px * width, 2), round(py * height, 2), seen] for px, py, seen in keypoints[at].tolist()]
            found.append(kept)
    return found
