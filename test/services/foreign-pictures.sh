#!/usr/bin/env bash
# Fetches the test pictures of image libraries, and Pillow to read them, once. Prints the folder.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
. "$here/places.sh"
PILLOW=pillow==13.0.0
PILLOW_HEIF=pillow-heif==1.8.1
# The Debian source packages of libvips, exiftool, and libheif with its examples.
SOURCES=(vips libimage-exiftool-perl libheif)
PICTURES="$CACHE/foreign-pictures-1"
NEW="$PICTURES.new"

fail() {
  echo "The pictures of other libraries can't be fetched: $1" >&2
  [ ! -f "$NEW/log" ] || tail -n 15 "$NEW/log" >&2
  exit 1
}

fetch_pillow() {
  python3 -m venv "$NEW/python" >>"$NEW/log" 2>&1 || fail 'python3 with its venv module is needed on the PATH.'
  # Use python -m pip, because the folder is moved afterwards and the pip script contains its path.
  "$NEW/python/bin/python" -m pip install -q "$PILLOW" "$PILLOW_HEIF" >>"$NEW/log" 2>&1 || fail 'pip can not install Pillow.'
  "$NEW/python/bin/python" -m pip download -q --no-deps --no-binary pillow,pillow-heif "$PILLOW" "$PILLOW_HEIF" -d "$NEW/sources" \
    >>"$NEW/log" 2>&1 || fail "pip can not download the sources of $PILLOW and $PILLOW_HEIF."
}

# Uses separate package lists and a separate cache, so that those of the system are unchanged.
fetch_debian() {
  command -v apt-get >/dev/null || fail 'apt-get is needed on the PATH.'
  local apt="$NEW/apt" release repository
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
  release="$(. /etc/os-release && echo "${VERSION_CODENAME:-}")"
  repository="$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 2>>"$NEW/log" |
    awk -v release="$release" '$2 == release && $3 == "main" { print $1; exit }')"
  [ -n "$repository" ] || fail "apt knows no repository of $release main."
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $repository $release main" >"$apt/sources.list"
  local options=(-qq -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State::Lists=$apt/lists"
    -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root)
  apt-get "${options[@]}" update >>"$NEW/log" 2>&1 || fail "apt can not list the sources of $release."
  (cd "$NEW/sources" && apt-get "${options[@]}" source --download-only "${SOURCES[@]}") >>"$NEW/log" 2>&1 ||
    fail "apt can not download the sources of ${SOURCES[*]}."
}

# Extracts only the pictures, as <library>/<path in its source>.
unpack() {
  local name pattern library
  while read -r name pattern library; do
    mkdir -p "$NEW/pictures/$library"
    tar -xf "$NEW"/sources/$name -C "$NEW/pictures/$library" --strip-components=1 --wildcards $pattern >>"$NEW/log" 2>&1 ||
      fail "$name holds none of $pattern."
  done <<'END'
pillow-*.tar.gz */Tests/images/* pillow
pillow_heif-*.tar.gz */tests/images/* pillow-heif
vips_*.orig.tar.* */test/test-suite/images/* libvips
libimage-exiftool-perl_*.orig.tar.* */t/images/* exiftool
libheif_*.orig.tar.* */examples/example.* libheif
END
  tar -xf "$NEW"/sources/libheif_*.orig.tar.* -C "$NEW/pictures/libheif" --strip-components=1 --wildcards '*/fuzzing/corpus/*' >>"$NEW/log" 2>&1 ||
    fail 'libheif holds no corpus.'
}

if [ ! -d "$PICTURES" ]; then
  rm -rf "$NEW"
  mkdir -p "$NEW/sources"
  fetch_pillow
  fetch_debian
  unpack
  rm -rf "$NEW/sources" "$NEW/apt"
  mv "$NEW" "$PICTURES"
fi
echo "$PICTURES"
