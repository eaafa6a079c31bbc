"""Generates `_sync` from `_async`. `python scripts/make_sync.py` writes it, `--check` compares."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "dms_client"
BY_HAND = {"_parallel.py"}

REPLACED = [
    (r"# \[sync\] ?", ""),
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAwaitable\[((?:[^\[\]]|\[[^\[\]]*\])*)\]", r"\1"),
    (r"\basynccontextmanager\b", "contextmanager"),
    (r"\bAsync([A-Z]\w*)", r"\1"),
    (r"\b__a(enter|exit|iter|next)__\b", r"__\1__"),
    (r"\ba(close|read|iter_lines|iter_bytes)\b", r"\1"),
    (r"\basync_chunks\b", "chunks"),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"^import asyncio$", "import time"),
    (r"\bclient for asyncio\b", "plain client"),
    (r"`_sync` is made from this by", "Made from `_async` by"),
]


def converted(source: str) -> str:
    for pattern, replacement in REPLACED:
        source = re.sub(pattern, replacement, source, flags=re.MULTILINE)
    return source


def ruff(*arguments: str, source: str) -> str:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "ruff",
            *arguments,
            "--stdin-filename",
            "src/dms_client/_sync/x.py",
            "-",
        ],
        input=source,
        capture_output=True,
        text=True,
        check=False,
        cwd=PACKAGE.parent.parent,
    )
    if done.returncode != 0:
        raise SystemExit(f"{done.stdout[-2000:]}{done.stderr}")
    return done.stdout


def files() -> dict[str, str]:
    found = {}
    for path in sorted((PACKAGE / "_async").glob("*.py")):
        if path.name in BY_HAND:
            continue
        source = converted(path.read_text("utf-8"))
        sorted_imports = ruff(
            "check", "--select", "I001,F401,F811", "--fix", "--quiet", source=source
        )
        found[path.name] = ruff("format", "--quiet", source=sorted_imports)
    return found


def main() -> None:
    made = files()
    folder = PACKAGE / "_sync"
    behind = [
        name
        for name, text in made.items()
        if not (folder / name).exists() or (folder / name).read_text("utf-8") != text
    ]
    strange = {path.name for path in folder.glob("*.py")} - made.keys() - BY_HAND
    if "--check" in sys.argv:
        if behind or strange:
            raise SystemExit(
                f"_sync does not match _async ({', '.join([*behind, *sorted(strange)])}): "
                "run python scripts/make_sync.py"
            )
        return
    for name in behind:
        (folder / name).write_text(made[name], "utf-8")
    for name in strange:
        (folder / name).unlink()


if __name__ == "__main__":
    main()
