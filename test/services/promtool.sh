# promtool, the rule checker of Prometheus, from Debian's packages; sourced by up.
install_promtool() {
  [ -x "$BIN/promtool" ] && return
  command -v apt-get >/dev/null || { echo 'promtool comes with the package prometheus of Debian or Ubuntu.' >&2; exit 1; }
  echo 'Fetching promtool …' >&2
  local folder="$CACHE/prometheus"
  rm -rf "$folder"
  mkdir -p "$folder"
  download_prometheus "$folder" 2>/dev/null || { apt-get update >/dev/null && download_prometheus "$folder"; }
  dpkg-deb -x "$folder"/prometheus_*.deb "$folder/root"
  cp "$folder/root/usr/bin/promtool" "$BIN/promtool.new"
  rm -rf "$folder"
  mv "$BIN/promtool.new" "$BIN/promtool"
}

download_prometheus() { (cd "$1" && apt-get download -q prometheus >/dev/null); }

start_promtool() { :; }

environment_of_promtool() { echo "TEST_PROMTOOL=$BIN/promtool"; }
