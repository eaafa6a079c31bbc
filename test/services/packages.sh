# Debian or Ubuntu packages of programs that the tests use if they are installed; sourced by up.
# Prefers the headless Chromium, if the system has it: it takes a third less processor time.
install_chromium() { [ -n "${TEST_CHROMIUM:-}" ] || (install_package chromium-headless-shell) 2>/dev/null || install_package chromium; }
install_ffmpeg() { install_package ffmpeg; }

install_package() { # name of the package and of its program
  command -v "$1" >/dev/null && return
  command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || { echo "Install $1: as root, apt-get install $1" >&2; exit 1; }
  echo "Installing $1 …" >&2
  apt_install "$1" || { apt-get update >/dev/null && apt_install "$1"; }
}

apt_install() { DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends "$1" >/dev/null 2>&1; }

start_chromium() { :; }
start_ffmpeg() { :; }
environment_of_chromium() { :; }
environment_of_ffmpeg() { :; }
