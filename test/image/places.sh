# Paths of the image and of the files for its build; sourced by build and run.
CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/dataset-media-service/image"
ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
IMAGE=localhost/dataset-media-service:test
NODE_VERSION="$(sed -n 's/^ *"node": "\([0-9.]*\)",*$/\1/p' "$ROOT/package.json")"
NPM_VERSION=11.21.2
BASE="localhost/dataset-media-service-base:bookworm-node-$NODE_VERSION-npm-$NPM_VERSION"
