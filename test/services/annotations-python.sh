#!/usr/bin/env bash
# Installs the programs that read annotations, once. Prints their Python.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
. "$here/places.sh"
PLACE="$CACHE/annotations-python-2"

if [ ! -f "$PLACE/installed" ]; then
  rm -rf "$PLACE"
  python3 -m venv "$PLACE" || { echo 'python3 with its venv module is needed on the PATH.' >&2; exit 1; }
  "$PLACE/bin/python" -m pip install -q -r "$here/annotations-python.txt" >&2
  # Its parser needs no torch, which it requires.
  "$PLACE/bin/python" -m pip install -q --no-deps ultralytics==8.4.190 >&2
  touch "$PLACE/installed"
fi
echo "$PLACE/bin/python"
