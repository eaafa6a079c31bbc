"""Runs the example notebooks from top to bottom."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from conftest import PATIENCE, Service
from dms_client import Client, Dataset

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))

by_name = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


@pytest.fixture(scope="module")
def sample(dms: Client, library: Path) -> Iterator[Dataset]:
    """Replaces the sample dataset that the service creates on its first start."""
    made = dms.create_dataset("Sample", library).wait(PATIENCE)
    yield made
    made.delete()


def code_of(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@by_name
def test_has_no_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in code_of(notebook):
        assert (cell.outputs, cell.execution_count, cell.metadata) == ([], None, {})
    assert set(notebook.metadata) == {"kernelspec", "language_info"}


# The notebook libraries close their event loop and sockets late.
@pytest.mark.filterwarnings("default")
@by_name
def test_runs(
    path: Path,
    service: Service,
    sample: Dataset,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DMS_URL", service.url)
    for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=PATIENCE, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    printed = [
        output.get("text", "")
        for cell in code_of(notebook)
        for output in cell.outputs
        if output.output_type == "stream" and output.name == "stderr"
    ]
    assert [text for text in printed if "Warning" in text] == []
