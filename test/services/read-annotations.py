"""Reads the archives below a folder, one for each format, with the programs that the formats belong to. Prints what each found as JSON."""

import json
import sys
from pathlib import Path


def coco(folder):
    from pycocotools.coco import COCO

    file = COCO(str(folder / "annotations.json"))
    found = []
    for annotation in file.anns.values():
        image = file.imgs[annotation["image_id"]]
        kept = {key: annotation[key] for key in ("bbox", "iscrowd", "area") if key in annotation}
        kept["label"] = file.cats[annotation["category_id"]]["name"]
        if annotation.get("segmentation"):
            kept["pixels"] = int(file.annToMask(annotation).sum())
        found.append({"path": image["file_name"], **kept})
    return found


def with_datumaro(name):
    def read(folder):
        from datumaro.components.dataset import Dataset

        dataset = Dataset.import_from(str(folder), name)
        labels = dataset.categories().get(next(iter(dataset.categories())))
        found = []
        for item in dataset:
            for annotation in item.annotations:
                kept = {"id": item.id, "type": annotation.type.name, "label": labels[annotation.label].name}
                if hasattr(annotation, "get_bbox"):
                    kept["bbox"] = [round(float(value), 2) for value in annotation.get_bbox()]
                if annotation.type.name == "mask":
                    kept["pixels"] = int(annotation.image.sum())
                if "track_id" in annotation.attributes:
                    kept["track"] = str(annotation.attributes["track_id"])
                found.append(kept)
        return found

    return read


def labelme(folder):
    from labelme._label_file import LabelFile
    from labelme.utils import img_data_to_arr, shapes_to_label

    found = []
    for path in sorted(folder.rglob("*.json")):
        file = LabelFile(str(path))
        for shape in file.shapes:
            kept = {"path": file.imagePath, "label": shape["label"], "type": shape["shape_type"], "points": shape["points"]}
            if shape["shape_type"] == "mask":
                marked, _ = shapes_to_label(img_data_to_arr(file.image_data).shape, [shape], {shape["label"]: 1})
                kept["pixels"] = int(marked.sum())
            found.append(kept)
    return found


LABELS = """<View><Image name="image" value="$image"/>
<Choices name="label" toName="image"><Choice value="harbour"/></Choices>
<RectangleLabels name="box" toName="image"><Label value="car"/></RectangleLabels>
<PolygonLabels name="polygon" toName="image"><Label value="car"/></PolygonLabels>
<BrushLabels name="brush" toName="image"><Label value="car"/></BrushLabels></View>"""


def label_studio(folder):
    from label_studio_sdk.converter.brush import decode_rle
    from label_studio_sdk.label_interface import LabelInterface

    interface = LabelInterface(LABELS)
    tasks = json.loads((folder / "tasks.json").read_text())
    for task in tasks:
        assert interface.validate_task({"data": task["data"]}), task
        for annotation in task["annotations"]:
            assert interface.validate_annotation(annotation), annotation
        for prediction in task["predictions"]:
            assert interface.validate_prediction(prediction), prediction

    def brushed(result):
        values = decode_rle(result["value"]["rle"])
        assert len(values) == 4 * result["original_width"] * result["original_height"], len(values)
        return int((values[3::4] > 0).sum())

    return [
        {"path": task["data"]["image"], "type": result["type"], **({"pixels": brushed(result)} if result["type"] == "brushlabels" else {})}
        for task in tasks
        for part in ("annotations", "predictions")
        for each in task[part]
        for result in each["result"]
    ]


def imagefolder(folder):
    from datasets import load_dataset

    rows = load_dataset("imagefolder", data_dir=str(folder), split="train")
    return [
        {"size": list(row["image"].size), "labels": row["labels"], "bbox": row["objects"]["bbox"], "categories": row["objects"]["categories"]}
        for row in rows
    ]


def webdataset(folder):
    from webdataset import WebDataset

    samples = WebDataset([str(path) for path in sorted(folder.glob("*.tar"))], shardshuffle=False).decode("pil")
    return [
        {"path": sample["json"]["file_name"], "size": list(sample["jpg"].size), "count": len(sample["json"]["annotations"])}
        for sample in samples
    ]


def ultralytics(folder):
    import importlib

    return importlib.import_module("read-yolo").yolo(folder)


READERS = {
    "coco": coco,
    "voc": with_datumaro("voc"),
    "cvat": with_datumaro("cvat"),
    "datumaro": with_datumaro("datumaro"),
    "mot": with_datumaro("mot_seq"),
    "yolo": with_datumaro("yolo"),
    "yolo-detect": ultralytics,
    "yolo-segment": ultralytics,
    "yolo-pose": ultralytics,
    "labelme": labelme,
    "label_studio": label_studio,
    "imagefolder": imagefolder,
    "webdataset": webdataset,
}

root = Path(sys.argv[1])
answer = {}
for name in sorted(path.name for path in root.iterdir()):
    try:
        answer[name] = {"found": READERS[name](root / name)}
    except Exception as error:
        import traceback

        answer[name] = {"error": f"{type(error).__name__}: {error}\n{traceback.format_exc()[-1500:]}"}
print("\n" + json.dumps(answer))
