# Ray from PyPI; sourced by up. Each test starts a separate cluster on loopback, whose nodes it may kill.
install_ray() {
  [ -f "$RAY/installed" ] && return
  command -v python3 >/dev/null || { echo 'Ray needs Python 3.11 or newer on the PATH.' >&2; exit 1; }
  echo 'Installing Ray (half a minute, once) …' >&2
  rm -rf "$RAY"
  python3 -m venv "$RAY"
  "$RAY/bin/pip" install --quiet --requirement "$here/../../engine/requirements.txt"
  touch "$RAY/installed"
}

start_ray() { :; }

environment_of_ray() { echo "TEST_RAY=$RAY/bin"; }
