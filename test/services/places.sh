# The folders of the services; sourced by up and down.
. "$(dirname "${BASH_SOURCE[0]}")/../support/processes.sh"
CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/dataset-media-service"
BIN="$CACHE/bin"
RUN="$CACHE/run"
RAY="$CACHE/ray-2.60.0" # as in engine/requirements.txt
ENVIRONMENT="$RUN/services.env"
SERVICES=(minio keycloak pgbouncer promtool postgres chromium ffmpeg ray)

# Whether the process in the pid file is alive. After a reboot its number may belong to another program.
is_alive() { [ -f "$RUN/$1.pid" ] && ps -o args= -p "$(cat "$RUN/$1.pid")" 2>/dev/null | grep -qF "$CACHE"; }

# Whether the service runs, or, if it has no process, is installed.
is_available() {
  is_alive "$1" && return
  case "$1" in
    pgbouncer | promtool) [ -x "$BIN/$1" ] ;;
    ray) [ -f "$RAY/installed" ] ;;
    postgres) compgen -G "$BIN/postgres-*/bin/postgres" >/dev/null ;;
    *) false ;;
  esac
}
