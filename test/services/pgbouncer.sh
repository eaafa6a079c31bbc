# PgBouncer from Debian's packages; sourced by up. Each test starts a separate one in front of its Postgres.
install_pgbouncer() {
  [ -x "$BIN/pgbouncer" ] && return
  command -v apt-get >/dev/null || { echo 'PgBouncer comes as a package of Debian or Ubuntu.' >&2; exit 1; }
  echo 'Fetching PgBouncer …' >&2
  local packages="$CACHE/pgbouncer/packages" root="$CACHE/pgbouncer/root" package
  rm -rf "$CACHE/pgbouncer"
  mkdir -p "$packages" "$root"
  download_packages "$packages" 2>/dev/null || { apt-get update >/dev/null && download_packages "$packages"; }
  for package in "$packages"/*.deb; do dpkg-deb -x "$package" "$root"; done
  cat >"$BIN/pgbouncer.new" <<WRAPPER
#!/bin/sh
LD_LIBRARY_PATH="\$(dirname "\$(find "$root/usr/lib" -name 'libevent-2.1.so.7')")" exec "$root/usr/sbin/pgbouncer" "\$@"
WRAPPER
  chmod +x "$BIN/pgbouncer.new"
  mv "$BIN/pgbouncer.new" "$BIN/pgbouncer"
}

download_packages() { (cd "$1" && apt-get download -q pgbouncer libevent-2.1-7 libc-ares2 >/dev/null); }

start_pgbouncer() { :; }

environment_of_pgbouncer() { echo "TEST_PGBOUNCER=$BIN/pgbouncer"; }
