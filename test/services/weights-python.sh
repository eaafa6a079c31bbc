#!/usr/bin/env bash
# Installs Python's libraries for models into a venv, once. Prints its python.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
. "$here/places.sh"
PACKAGES=(onnxruntime==1.32.0 tokenizers==0.22.2 numpy==2.4.6 pillow==13.0.0)
VENV="$CACHE/weights-python-2"

fail() {
  echo "Python's libraries for models can't be installed: $1" >&2
  exit 1
}

if [ ! -f "$VENV/installed" ]; then
  rm -rf "$VENV"
  mkdir -p "$CACHE"
  python3 -m venv "$VENV" >&2 || fail 'python3 with its venv module is needed on the PATH.'
  "$VENV/bin/python" -m pip install -q "${PACKAGES[@]}" >&2 || fail "pip can not install ${PACKAGES[*]}."
  touch "$VENV/installed"
fi
echo "$VENV/bin/python"
