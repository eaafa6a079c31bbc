"""Figures of COCO by other programs: TOOL sets FILE, or TOOL time FOLDER."""

import contextlib
import io
import json
import sys
import time
from pathlib import Path

import numpy as np

tool, what, place = sys.argv[1:]
if tool == "faster-coco-eval":
    from faster_coco_eval import COCO
    from faster_coco_eval import COCOeval_faster as COCOeval
else:
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

KINDS = {"detection": "bbox", "segmentation": "segm", "keypoints": "keypoints"}


def quietly(measure):
    with contextlib.redirect_stdout(io.StringIO()):
        return measure()


def measured(truth, results, kind):
    evaluation = COCOeval(truth, truth.loadRes(results), kind)
    evaluation.evaluate()
    evaluation.accumulate()
    evaluation.summarize()
    return evaluation


def of_set(given):
    truth = COCO()
    truth.dataset = given["truth"]
    truth.createIndex()
    evaluation = measured(truth, given["results"], KINDS[given["task"]])
    precision = np.moveaxis(evaluation.eval["precision"][:, :, :, 0, -1], 2, 0)
    classes = [float(np.mean(of[of > -1])) if (of > -1).any() else -1 for of in precision]
    return {"stats": [float(value) for value in evaluation.stats], "classes": classes}


def of_files(folder):
    evaluation = measured(COCO(str(folder / "truth.json")), str(folder / "results.json"), "bbox")
    return {"stats": [float(value) for value in evaluation.stats], "classes": []}


def fiftyone_dataset(folder):
    import fiftyone as fo

    given = json.loads((folder / "truth.json").read_text())
    names = {category["id"]: category["name"] for category in given["categories"]}
    sides = {image["id"]: (image["width"], image["height"]) for image in given["images"]}

    def detections(listed):
        found = {number: [] for number in sides}
        for one in listed:
            width, height = sides[one["image_id"]]
            x, y, w, h = one["bbox"]
            box = [x / width, y / height, w / width, h / height]
            more = {"confidence": one["score"]} if "score" in one else {"iscrowd": one["iscrowd"]}
            detection = fo.Detection(label=names[one["category_id"]], bounding_box=box, **more)
            found[one["image_id"]].append(detection)
        return found

    truth = detections(given["annotations"])
    results = detections(json.loads((folder / "results.json").read_text()))
    dataset = fo.Dataset()
    samples = [
        fo.Sample(
            filepath=f"/{number}.jpg",
            metadata=fo.ImageMetadata(width=width, height=height),
            truth=fo.Detections(detections=truth[number]),
            found=fo.Detections(detections=results[number]),
        )
        for number, (width, height) in sides.items()
    ]
    dataset.add_samples(samples, progress=False, num_samples=len(samples))
    return dataset


def of_fiftyone(folder):
    """Its dataset has the pictures and boxes before the time begins."""
    dataset = quietly(lambda: fiftyone_dataset(folder))
    begun = time.time()
    results = quietly(
        lambda: dataset.evaluate_detections(
            "found", gt_field="truth", method="coco", compute_mAP=True, progress=False
        )
    )
    seconds = time.time() - begun
    dataset.delete()
    return {"seconds": seconds, "stats": [float(results.mAP())], "classes": []}


if what == "sets":
    for line in Path(place).read_text().splitlines():
        given = json.loads(line)
        print(json.dumps(quietly(lambda given=given: of_set(given))))
elif tool == "fiftyone":
    print(json.dumps(of_fiftyone(Path(place))))
else:
    begun = time.time()
    figures = quietly(lambda: of_files(Path(place)))
    print(json.dumps({"seconds": time.time() - begun, **figures}))
