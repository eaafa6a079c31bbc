# Where the services live; sourced by up and down.
CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/dataset-media-service"
BIN="$CACHE/bin"
RUN="$CACHE/run"
RAY="$CACHE/ray-2.60.0" # as in engine/requirements.txt
ENVIRONMENT="$RUN/services.env"
SERVICES=(minio keycloak pgbouncer promtool postgres chromium ffmpeg ray)

# The process of the pid file, unless its number went to a stranger after a restart of the machine.
is_alive() { [ -f "$RUN/$1.pid" ] && ps -o args= -p "$(cat "$RUN/$1.pid")" 2>/dev/null | grep -qF "$CACHE"; }

# Runs, or needs only to be there.
is_available() {
  is_alive "$1" && return
  case "$1" in
    pgbouncer | promtool) [ -x "$BIN/$1" ] ;;
    ray) [ -f "$RAY/installed" ] ;;
    postgres) compgen -G "$BIN/postgres-*/bin/postgres" >/dev/null ;;
    *) false ;;
  esac
}

free_port() {
  node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# Waits until the address answers, or says why the service did not come up.
wait_for() { # name, url
  local patience=$((SECONDS + 600)) # Keycloak's first start on a busy machine takes minutes.
  while ((SECONDS < patience)); do
    if curl -fsS -o /dev/null "$2" 2>/dev/null; then return; fi
    # Not by its command line, which is still that of this script until the new process runs its program.
    kill -0 "$(cat "$RUN/$1.pid")" 2>/dev/null || break
    sleep 0.1
  done
  echo "$1 did not start; the end of its log:" >&2
  tail -n 20 "$RUN/$1.log" >&2
  exit 1
}
