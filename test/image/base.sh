# A base image like node:24-bookworm-slim, built from Debian's and npm's packages; sourced by build.
install_tools() {
  local missing=() tool
  for tool in buildah podman runc debootstrap; do command -v "$tool" >/dev/null || missing+=("$tool"); done
  command -v ip >/dev/null || missing+=(iproute2)
  [ ${#missing[@]} -eq 0 ] && return
  command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] ||
    { echo "Install ${missing[*]}. As root on Debian or Ubuntu this script does it itself." >&2; exit 1; }
  echo "Installing ${missing[*]} …" >&2
  apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >"$CACHE/apt.log" 2>&1 ||
    { tail -n 20 "$CACHE/apt.log" >&2; exit 1; }
}

make_base() {
  podman image exists "$BASE" && return
  echo 'Making the base image (a minute, once) …' >&2
  local rootfs="$CACHE/rootfs"
  rm -rf "$rootfs" "$CACHE/node"
  debootstrap --variant=minbase --include=ca-certificates bookworm "$rootfs" >"$CACHE/debootstrap.log" 2>&1 ||
    { tail -n 20 "$CACHE/debootstrap.log" >&2; exit 1; }
  add_security_updates "$rootfs"
  add_node "$rootfs"
  # Debian's slim images omit these files too.
  rm -rf "$rootfs"/usr/share/{doc,info,lintian,locale,man}/* "$rootfs"/var/cache/apt/* "$rootfs"/var/lib/apt/lists/* "$rootfs"/var/log/*
  tar -C "$rootfs" -c . | podman import --change 'CMD ["node"]' - "$BASE" >/dev/null
  rm -rf "$rootfs" "$CACHE/node"
}

add_security_updates() {
  cat >"$1/etc/apt/sources.list" <<'SOURCES'
deb http://deb.debian.org/debian bookworm main
deb http://deb.debian.org/debian bookworm-updates main
deb http://deb.debian.org/debian-security bookworm-security main
SOURCES
}

add_node() {
  mkdir -p "$CACHE/node" "$1/usr/local/lib/node_modules" "$1/usr/local/etc"
  npm install --prefix "$CACHE/node" --ignore-scripts=false --no-save --no-audit --no-fund --loglevel=error \
    "node@$NODE_VERSION" "npm@$NPM_VERSION" >&2
  cp -L "$CACHE/node/node_modules/node/bin/node" "$1/usr/local/bin/node"
  cp -r "$CACHE/node/node_modules/npm" "$1/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"
  ln -s ../lib/node_modules/npm/bin/npx-cli.js "$1/usr/local/bin/npx"
  # The registry and the certificates of this machine.
  cp -L /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/ca-certificates.crt"
  printf 'registry=%s\ncafile=/etc/ssl/certs/ca-certificates.crt\n' "$(npm config get registry)" >"$1/usr/local/etc/npmrc"
  local index
  index="$(python3 -m pip config get global.index-url 2>/dev/null || true)"
  [ -z "$index" ] || printf '[global]\nindex-url = %s\n' "$index" >"$1/etc/pip.conf"
}
