"""`LARGE=1 ./check` installs torch and runs these tests. It is too large for every check."""

from __future__ import annotations

from pathlib import Path

from torch.utils.data import DataLoader

from dms_client import Dataset, Medium


def test_becomes_a_dataset_of_torch(boats: Dataset, tmp_path: Path) -> None:
    assert len(boats.search().to_torch(cache=tmp_path)) == 14
    made = boats.search(labels=["boat", "car"]).to_torch(cache=tmp_path)
    assert made.classes == ["boat", "car"]
    batches = list(DataLoader(made, batch_size=4, num_workers=2))
    assert [tuple(images.shape) for images, _ in batches] == [(4, 3, 72, 96)] * 3
    assert sorted(int(label) for _, labels in batches for label in labels) == [0] * 6 + [1] * 6


def test_takes_transform_and_target(boats: Dataset, tmp_path: Path) -> None:
    def name_of(medium: Medium) -> str:
        return medium.file_name

    made = boats.search(labels=["car"]).to_torch(
        transform=lambda image: image.size, target=name_of, cache=tmp_path
    )
    assert sorted(made[index] for index in range(6))[0] == ((96, 72), "10.png")
    first = made.path_of(0)
    assert made.path_of(0) == first
    assert [path.name[:6] for path in tmp_path.rglob(".part-*")] == []
    image, label = boats.search(labels=["car"]).to_torch(classes=["car"], cache=tmp_path)[0]
    assert (tuple(image.shape), label) == ((3, 72, 96), 0)
    assert 0 <= float(image.min()) < float(image.max()) <= 1
