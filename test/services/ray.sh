# Ray, from PyPI; sourced by up. Each test starts a cluster of its own on loopback, whose nodes it may kill.
install_ray() {
  local environment="$CACHE/ray-2.60.0"
  [ -f "$environment/installed" ] && return
  command -v python3 >/dev/null || { echo 'Ray needs Python 3.11 or newer on the PATH.' >&2; exit 1; }
  echo 'Installing Ray (half a minute, once) …' >&2
  rm -rf "$environment"
  python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet --requirement "$here/../../engine/requirements.txt"
  touch "$environment/installed"
}

start_ray() { :; }

environment_of_ray() { echo "TEST_RAY=$CACHE/ray-2.60.0/bin"; }
