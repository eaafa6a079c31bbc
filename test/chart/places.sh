# Where the tools and the API server of the chart tests live; sourced by up, down and make-readme.
CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/dataset-media-service/chart"
BIN="$CACHE/bin"
RUN="$CACHE/run"
ENVIRONMENT="$RUN/cluster.env"
CRDS="$CACHE/crds"
SCHEMAS="$CACHE/schemas"
HELM=helm.sh/helm/v3/cmd/helm@v3.22.0
KUBECONFORM=github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0
HELM_DOCS=github.com/norwoodj/helm-docs/cmd/helm-docs@v1.14.2
KUBERNETES_VERSION=v1.34.2 # as in tools/kubernetes/go.mod
GATEWAY_API=sigs.k8s.io/gateway-api@v1.4.0
PROMETHEUS_OPERATOR=github.com/prometheus-operator/prometheus-operator@v0.85.0
KUBERAY=github.com/ray-project/kuberay/ray-operator@v1.5.0
PROMETHEUS_KINDS=(servicemonitors prometheusrules)
START_SECONDS=600 # A busy machine takes minutes.

# The process of the pid file, unless its number went to a stranger after a restart of the machine.
is_alive() { [ -f "$RUN/$1.pid" ] && ps -o args= -p "$(cat "$RUN/$1.pid")" 2>/dev/null | grep -qF "$BIN/$1"; }

free_port() {
  node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# Waits until the address answers, or says why the process did not come up.
wait_for() { # name, further arguments of curl, url last
  local name=$1 patience=$((SECONDS + START_SECONDS))
  shift
  while ((SECONDS < patience)); do
    if curl -fsS --max-time 20 -o /dev/null "$@" 2>/dev/null; then return; fi
    # Not by its command line, which is still that of this script until the new process runs its program.
    kill -0 "$(cat "$RUN/$name.pid")" 2>/dev/null || break
    sleep 0.2
  done
  echo "$name did not start; the end of its log:" >&2
  tail -n 20 "$RUN/$name.log" >&2
  exit 1
}

# Ends a process and forgets its data.
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
