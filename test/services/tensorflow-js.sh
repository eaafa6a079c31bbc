#!/usr/bin/env bash
# Installs TensorFlow.js into a folder of its own, once. Prints the folder.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
. "$here/places.sh"
VERSION=4.22.0
FOLDER="$CACHE/tensorflow-js-$VERSION"

if [ ! -f "$FOLDER/installed" ]; then
  rm -rf "$FOLDER"
  mkdir -p "$FOLDER"
  echo '{}' >"$FOLDER/package.json"
  npm install --prefix "$FOLDER" --ignore-scripts --no-audit --no-fund "@tensorflow/tfjs-core@$VERSION" \
    "@tensorflow/tfjs-converter@$VERSION" "@tensorflow/tfjs-backend-cpu@$VERSION" >&2 || {
    echo "TensorFlow.js can't be installed: npm can not fetch its packages." >&2
    exit 1
  }
  touch "$FOLDER/installed"
fi
echo "$FOLDER"
