# Processes that outlive the script that starts them. Sourced by the places.sh of a folder, which sets the folder
# of their pid files (RUN) and defines is_alive, whether a process still runs.
START_SECONDS=600 # On a busy machine a first start takes minutes.

free_port() {
  node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# Waits until the URL responds, or prints why the process did not start.
wait_for() { # name, further arguments of curl, url last
  local name=$1 patience=$((SECONDS + START_SECONDS))
  shift
  while ((SECONDS < patience)); do
    if curl -fsS --max-time 20 -o /dev/null "$@" 2>/dev/null; then return; fi
    # Not checked by its command line, which is that of this script until the new process runs its program.
    kill -0 "$(cat "$RUN/$name.pid")" 2>/dev/null || break
    sleep 0.1
  done
  echo "$name did not start; the end of its log:" >&2
  tail -n 20 "$RUN/$name.log" >&2
  exit 1
}

# Ends a process and removes its data.
end() { # name
  if is_alive "$1"; then
    local pid
    pid="$(cat "$RUN/$1.pid")"
    kill -- "-$pid" 2>/dev/null || true
    for _ in $(seq 1 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
    kill -9 -- "-$pid" 2>/dev/null || true
  fi
  rm -rf "$RUN/$1.pid" "$RUN/$1.port" "$RUN/$1-data"
}
