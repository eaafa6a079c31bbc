# Paths of the tools and of the API server for the chart tests; sourced by up, down and make-readme.
. "$(dirname "${BASH_SOURCE[0]}")/../support/processes.sh"
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

# Whether the process of the pid file runs. After a restart of the machine another process may have its pid.
is_alive() { [ -f "$RUN/$1.pid" ] && ps -o args= -p "$(cat "$RUN/$1.pid")" 2>/dev/null | grep -qF "$BIN/$1"; }
