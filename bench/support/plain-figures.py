"""Reads sets of labels and boxes as JSON lines. Writes for each the figures of scikit-learn and krippendorff, or of plain VOC and Open Images."""

import json
import sys

import krippendorff
import numpy as np
from sklearn import metrics


def alpha(first, second):
    return krippendorff.alpha(np.array([first, second]), level_of_measurement="nominal")


def calibration_error(confidences, right):
    if len(confidences) == 0:
        return None
    bins = np.minimum((np.array(confidences) * 10).astype(int), 9)
    error = 0
    for at in set(bins):
        chosen = bins == at
        error += chosen.sum() * abs(np.mean(confidences[chosen]) - np.mean(right[chosen]))
    return error / len(confidences)


def mean_of(values):
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def of_label(truth, scores, chosen):
    positives = truth.sum()
    return {
        "roc_auc": metrics.roc_auc_score(truth, scores) if 0 < positives < len(truth) else None,
        "average_precision": metrics.average_precision_score(truth, scores) if positives else None,
        "brier": float(np.mean((scores - truth) ** 2)),
        "precision": metrics.precision_score(truth, chosen, zero_division=np.nan),
        "recall": metrics.recall_score(truth, chosen, zero_division=np.nan),
        "f1": metrics.f1_score(truth, chosen, zero_division=np.nan),
        "kappa": metrics.cohen_kappa_score(truth, chosen) if len(set(truth) | set(chosen)) > 1 else None,
        "alpha": alpha(truth, chosen) if len(set(truth) | set(chosen)) > 1 else None,
    }


def best_f1(truth, scores, listed):
    """Whatever confidence is chosen; what is not listed is never found."""
    if not truth[listed].any():
        return None
    precision, recall, _ = metrics.precision_recall_curve(truth[listed], scores[listed])
    recall = recall * truth[listed].sum() / truth.sum()
    return max(2 * p * r / (p + r) if p + r else 0 for p, r in zip(precision, recall))


def of_all(per_label):
    return {name: mean_of([of[name] for of in per_label]) for name in ("roc_auc", "average_precision")}


def single(given):
    names = given["labels"]
    pictures = [picture for picture in given["pictures"] if picture["truth"]]
    listed = np.array([[name in picture["scores"] for name in names] for picture in pictures])
    scores = np.array([[picture["scores"].get(name, 0) for name in names] for picture in pictures])
    truth = np.array([names.index(picture["truth"][0]) for picture in pictures])
    order = np.argsort(np.where(listed, -scores, 1), axis=1, kind="stable")
    answered = listed.any(axis=1)
    predicted = np.where(answered, order[:, 0], -1)
    places = np.arange(len(truth))
    ones = np.eye(len(names))[truth]
    per_label = [of_label(ones[:, at], scores[:, at], predicted == at) for at in range(len(names))]
    confidences, is_right = scores[places, order[:, 0]], predicted == truth
    for at, of in enumerate(per_label):
        of["ece"] = calibration_error(confidences[predicted == at], is_right[predicted == at])
    rank = np.argmax(order == truth[:, None], axis=1)
    is_listed = listed[places, truth]
    known = sorted(set(truth) | set(predicted[answered]))
    averages = dict(labels=known, average="macro", zero_division=0)
    result = {
        "accuracy": metrics.accuracy_score(truth, predicted),
        "balanced_accuracy": metrics.recall_score(truth, predicted, labels=sorted(set(truth)), average="macro"),
        "precision": metrics.precision_score(truth, predicted, **averages),
        "recall": metrics.recall_score(truth, predicted, **averages),
        "f1": metrics.f1_score(truth, predicted, **averages),
        "brier": float(np.mean(((scores - ones) ** 2).sum(axis=1))) / (2 if len(names) == 2 else 1),
        "ece": calibration_error(confidences[answered], is_right[answered]),
        "kappa": metrics.cohen_kappa_score(truth[answered], predicted[answered]),
        "alpha": alpha(truth[answered], predicted[answered]),
        **{f"top_{k}": float(np.mean((rank < k) & is_listed)) for k in given["k"]},
        **of_all(per_label),
    }
    if listed.all() and len(names) > 2:
        check_with_probabilities(given, truth, predicted, scores, result)
    return {"metrics": result, "labels": per_label}


def check_with_probabilities(given, truth, predicted, scores, result):
    """Where scikit-learn has the same figure by another way, it must be the same."""
    labels = list(range(len(given["labels"])))
    expected = {"brier": metrics.brier_score_loss(truth, scores, labels=labels)}
    if set(predicted) <= set(truth):
        expected["balanced_accuracy"] = metrics.balanced_accuracy_score(truth, predicted)
    if all(len(set(row)) == len(row) for row in scores):
        for k in given["k"]:
            expected[f"top_{k}"] = metrics.top_k_accuracy_score(truth, scores, k=k, labels=labels)
    for name, value in expected.items():
        assert abs(result[name] - value) < 1e-9, (name, result[name], value)


def multi(given):
    names = given["labels"]
    pictures = [picture for picture in given["pictures"] if picture["truth"] or picture["scores"]]
    truth = np.array([[name in picture["truth"] for name in names] for picture in pictures]) * 1
    scores = np.array([[picture["scores"].get(name, 0) for name in names] for picture in pictures])
    listed = np.array([[name in picture["scores"] for name in names] for picture in pictures])
    chosen = (listed & (scores >= given["confidence"])) * 1
    per_label = [of_label(truth[:, at], scores[:, at], chosen[:, at]) for at in range(len(names))]
    for at, of in enumerate(per_label):
        of["best_f1"] = best_f1(truth[:, at], scores[:, at], listed[:, at])
        of["ece"] = calibration_error(scores[listed[:, at], at], truth[listed[:, at], at])
    used = [at for at in range(len(names)) if truth[:, at].any() or chosen[:, at].any()]
    averages = dict(labels=used, average="macro", zero_division=0)
    different = [at for at in range(len(names)) if len(set(truth[:, at]) | set(chosen[:, at])) > 1]
    result = {
        "accuracy": metrics.accuracy_score(truth, chosen),
        "precision": metrics.precision_score(truth, chosen, **averages),
        "recall": metrics.recall_score(truth, chosen, **averages),
        "f1": metrics.f1_score(truth, chosen, **averages),
        "brier": float(np.mean((scores - truth) ** 2)),
        "ece": calibration_error(scores[listed], truth[listed]),
        "kappa": mean_of([metrics.cohen_kappa_score(truth[:, at], chosen[:, at]) for at in different]),
        "alpha": mean_of([alpha(truth[:, at], chosen[:, at]) for at in different]),
        **of_all(per_label),
    }
    return {"metrics": result, "labels": per_label}


def overlap(one, other):
    across = max(0, min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0]))
    down = max(0, min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1]))
    return across * down / (one[2] * one[3] + other[2] * other[3] - across * down)


def voc(given):
    per_label = [{"AP": voc_precision(given, name)} for name in given["labels"]]
    return {"metrics": {"mAP": mean_of([of["AP"] for of in per_label])}, "labels": per_label}


def voc_precision(given, name):
    truth = [[box for box in picture["truth"] if box["label"] == name] for picture in given["pictures"]]
    total = sum(not box["ignored"] for boxes in truth for box in boxes)
    if total == 0:
        return None
    predictions = [
        (at, box) for at, picture in enumerate(given["pictures"]) for box in picture["predictions"] if box["label"] == name
    ]
    found, curve = set(), []
    for at, box in by_confidence(predictions):
        best = best_of(truth[at], lambda other: overlap(box["box"], other["box"]), given["iou"])
        if best is not None and truth[at][best]["ignored"]:
            continue
        curve.append(best is not None and (at, best) not in found)
        found.add((at, best))
    return area_below(curve, total, given["points"])


def by_confidence(predictions):
    return sorted(predictions, key=lambda pair: -pair[1]["confidence"])


def best_of(boxes, measure, least):
    overlaps = [measure(box) for box in boxes]
    best = int(np.argmax(overlaps)) if overlaps else -1
    return best if best >= 0 and overlaps[best] >= least else None


def area_below(found, total, points):
    curve = [(sum(found[: at + 1]), sum(found[: at + 1]) / (at + 1)) for at in range(len(found))]

    def highest(hits):
        return max([precision for right, precision in curve if right >= hits], default=0)

    if points == "11":
        return sum(highest(-(-step * total // 10)) for step in range(11)) / 11
    return sum(highest(hits) for hits in range(1, sum(found) + 1)) / total


def open_images(given):
    parents = {}
    for child, parent in given["hierarchy"]:
        parents.setdefault(child, set()).add(parent)

    def names_of(label):
        return {label}.union(*[names_of(parent) for parent in parents.get(label, ())])

    pictures = [
        {
            "truth": [(names_of(box["label"]), box) for box in picture["truth"]],
            "predictions": [
                (
                    {
                        name
                        for name in names_of(box["label"])
                        if not is_said(name, box, picture) and is_verified(name, picture, names_of)
                    },
                    box,
                )
                for box in picture["predictions"]
            ],
        }
        for picture in given["pictures"]
    ]
    names = set(given["labels"]) | {parent for _, parent in given["hierarchy"]}
    precisions = {name: open_images_precision(pictures, name, given["iou"]) for name in names}
    per_label = [{"AP": precisions[name]} for name in given["labels"]]
    return {"metrics": {"mAP": mean_of(precisions.values())}, "labels": per_label}


def is_verified(name, picture, names_of):
    if "said" not in picture:
        return True
    there = [box["label"] for box in picture["truth"]] + [one["label"] for one in picture["said"] if one["confidence"]]
    absent = {one["label"] for one in picture["said"] if not one["confidence"]}
    return any(name in names_of(label) for label in there) or not absent.isdisjoint(names_of(name))


def is_said(name, box, picture):
    return name != box["label"] and any(
        other["label"] == name and other["box"] == box["box"] for other in picture["predictions"]
    )


def open_images_precision(pictures, name, least):
    truth = [[box for names, box in picture["truth"] if name in names] for picture in pictures]
    total = sum(not box["ignored"] for boxes in truth for box in boxes)
    if total == 0:
        return None
    predictions = [(at, box) for at, picture in enumerate(pictures) for names, box in picture["predictions"] if name in names]
    found, curve = set(), []
    for at, box in by_confidence(predictions):
        single = [other for other in truth[at] if not other["crowd"]]
        crowds = [other for other in truth[at] if other["crowd"]]
        best = best_of(single, lambda other: overlap(box["box"], other["box"]), least)
        if best is not None and single[best]["ignored"]:
            continue
        if best is not None and (at, best) not in found:
            found.add((at, best))
            curve.append(True)
            continue
        crowd = best_of(crowds, lambda other: share_inside(box["box"], other["box"]), least)
        if crowd is None:
            curve.append(False)
        elif not crowds[crowd]["ignored"] and (at, "crowd", crowd) not in found:
            found.add((at, "crowd", crowd))
            curve.append(True)
    return area_below(curve, total, "all")


def share_inside(one, other):
    across = max(0, min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0]))
    down = max(0, min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1]))
    return across * down / (one[2] * one[3])


FIGURES = {"single": single, "multi": multi, "voc": voc, "open_images": open_images}


def plain(value):
    if isinstance(value, dict):
        return {name: plain(of) for name, of in value.items()}
    if isinstance(value, list):
        return [plain(of) for of in value]
    return None if value is None or np.isnan(value) else float(value)


if __name__ == "__main__":
    for line in open(sys.argv[1]):
        given = json.loads(line)
        print(json.dumps(plain(FIGURES[given["kind"]](given))))
