"""Builds detectors as Ultralytics exports them, with random weights of fixed seeds, and the results of Ultralytics with them.

    python make-detectors.py OUT                for the tests (test/fixtures/models), whose folder `pictures` it reads

Nothing is downloaded.
"""

import base64
import contextlib
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

os.environ['YOLO_OFFLINE'] = 'true'
os.environ['YOLO_AUTOINSTALL'] = 'false'
os.environ['YOLO_CONFIG_DIR'] = tempfile.mkdtemp()

import cv2
import numpy
import onnx
import torch
import yaml
from PIL import Image, ImageOps
from ultralytics import YOLO

NAMES = {0: 'red square', 1: "driver's cab", 2: 'blue "stripe" \\ été'}
HEIGHT, WIDTH = 64, 96
CONFIDENCE, IOU = 0.25, 0.45
LAYERS = {
    'nc': len(NAMES),
    'reg_max': 1,
    'scales': {'n': [1, 1, 1024]},
    'backbone': [[-1, 1, 'Conv', [8, 3, 2]] for _ in range(4)],
    'head': [[[2, 3], 1, 'Detect', ['nc']]],
}


def branch(outputs):
    """Replaces the branches of the detection head, which would be most of the file."""
    return torch.nn.Sequential(torch.nn.Conv2d(8, 8, 1), torch.nn.SiLU(), torch.nn.Conv2d(8, outputs, 1))


def small_model(end2end, folder):
    path = folder / 'yolov8n-small.yaml'
    path.write_text(yaml.safe_dump({**LAYERS, 'end2end': end2end}))
    model = YOLO(path, task='detect')
    model.model.names = NAMES
    head = model.model.model[-1]
    for level in range(head.nl):
        head.cv2[level], head.cv3[level] = branch(4), branch(len(NAMES))
        if end2end:
            head.one2one_cv2[level], head.one2one_cv3[level] = branch(4), branch(len(NAMES))
    randomise(model.model, 11)
    return model


def randomise(model, seed):
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            if parameter.dim() == 4:
                parameter.copy_(noise * 2.5 / parameter[0].numel() ** 0.5)
            elif '.bn.' not in name:
                parameter.copy_(noise * 0.2)
        # Chosen so that the distances to the four sides are positive, as a box requires, and few classes have a high
        # score.
        head = model.model[-1]
        for kind in ('', 'one2one_'):
            for boxes, classes in zip(getattr(head, f'{kind}cv2', []), getattr(head, f'{kind}cv3', [])):
                boxes[-1].weight.mul_(0.3)
                boxes[-1].bias.add_(1.2)
                classes[-1].bias.sub_(5)


KEPT_METADATA = ('stride', 'task', 'batch', 'imgsz', 'names', 'channels', 'end2end')


def export(model, end2end, folder):
    """The exporter writes the file, then rejects it as damaged if it is smaller than 0.1 MB."""
    try:
        with contextlib.chdir(folder):
            model.export(format='onnx', imgsz=[HEIGHT, WIDTH], nms=False if end2end else None, simplify=False, verbose=False)
    except AssertionError as error:
        if 'too small' not in str(error):
            raise
    made = onnx.load(next(folder.glob('*.onnx')))
    # The date would change the file on each run, and the licence is that of Ultralytics' own weights.
    kept = [each for each in made.metadata_props if each.key in KEPT_METADATA]
    del made.metadata_props[:]
    made.metadata_props.extend(kept)
    return made


def upright_bgr(path):
    """Decodes a picture as the service does: rotated according to EXIF."""
    picture = ImageOps.exif_transpose(Image.open(path)).convert('RGB')
    return numpy.ascontiguousarray(numpy.asarray(picture)[..., ::-1])


def found_in(path, detector):
    boxes = detector.predict(upright_bgr(path), conf=CONFIDENCE, iou=IOU, verbose=False)[0].boxes
    rounded = lambda values: json.loads(json.dumps(values.tolist()), parse_float=lambda text: float(f'{float(text):.4g}'))
    return {'scores': rounded(boxes.conf), 'classes': [int(each) for each in boxes.cls], 'boxes': rounded(boxes.xyxyn)}


def resizing():
    """The results of OpenCV for a few small noise pictures."""
    random = numpy.random.default_rng(10)
    text = lambda pixels: base64.b64encode(pixels.tobytes()).decode()
    cases = []
    for size, to in [((23, 17), (10, 7)), ((9, 5), (13, 11)), ((16, 12), (8, 6)), ((7, 1), (11, 3))]:
        noise = random.integers(0, 256, (size[1], size[0], 3)).astype('uint8')
        resized = cv2.resize(noise, to, interpolation=cv2.INTER_LINEAR)
        cases.append({'size': size, 'pixels': text(noise), 'to': to, 'resized': text(resized)})
    return cases


def make(name, end2end, out):
    folder = out / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as place:
        onnx.save(export(small_model(end2end, Path(place)), end2end, Path(place)), folder / 'model.onnx')
    manifest = {
        'id': f'{name}_v00',
        'name': f'{name} with random weights',
        'description': 'Random weights as Ultralytics exports them, for tests. What it returns means nothing.',
        'licence': 'Apache-2.0',
        'provenance': 'models/recipes/formats/make-detectors.py',
        'runtime': 'onnx',
        'type': 'OBJECT_DETECTION',
        'files': {'model': 'model.onnx'},
    }
    (folder / 'manifest.json').write_text(json.dumps(manifest, indent=2) + '\n')
    detector = YOLO(folder / 'model.onnx', task='detect')
    # Pillow rounds transparent pixels differently from the service.
    pictures = [path for path in sorted((out / 'pictures').iterdir()) if path.name != 'alpha.png']
    reference = {
        'names': list(NAMES.values()),
        'pictures': {path.name: found_in(path, detector) for path in pictures},
    }
    if not end2end:
        reference['resizing'] = resizing()
    (folder / 'reference.json').write_text(json.dumps(reference) + '\n')
    counts = {name: len(found['scores']) for name, found in reference['pictures'].items()}
    print(name, sum(file.stat().st_size for file in folder.iterdir()), 'bytes', counts)


if __name__ == '__main__':
    torch.set_num_threads(1)
    for name, end2end in [('ultralytics', False), ('ultralytics-end2end', True)]:
        make(name, end2end, Path(sys.argv[1]))
