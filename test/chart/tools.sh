# Builds missing tools; sourced by up and make-readme.
need_go() {
  command -v go >/dev/null || { echo 'Building the tools of the chart tests needs Go 1.24 or newer on the PATH.' >&2; exit 1; }
}

# Runs the command unless the last build had the same text.
unless_built() { # name, text, command
  local stamp="$CACHE/$1.built"
  if [ "$(cat "$stamp" 2>/dev/null)" = "$2" ]; then return; fi
  need_go
  echo "Building $1 …" >&2
  mkdir -p "$BIN"
  "$3"
  printf '%s' "$2" >"$stamp"
}

install_tool() { GOBIN="$BIN" CGO_ENABLED=0 go install -trimpath -ldflags '-s -w' "$1"; }
# Without its release script, Helm identifies itself with Kubernetes 1.20.
build_helm() {
  local package=helm.sh/helm/v3/pkg/chartutil
  GOBIN="$BIN" CGO_ENABLED=0 go install -trimpath -ldflags "-s -w -X $package.k8sVersionMajor=1 -X $package.k8sVersionMinor=34" "$HELM"
}
build_kubeconform() { install_tool "$KUBECONFORM"; }
build_helm_docs() { install_tool "$HELM_DOCS"; }
build_etcd() { CGO_ENABLED=0 go build -C "$here/tools/etcd" -trimpath -ldflags '-s -w' -o "$BIN/etcd" .; }
# The chart would refuse a build without version as too old.
build_kubernetes() {
  local package=k8s.io/component-base/version
  local flags="-s -w -X $package.gitVersion=$KUBERNETES_VERSION -X $package.gitMajor=1 -X $package.gitMinor=34"
  CGO_ENABLED=0 go build -C "$here/tools/kubernetes" -trimpath -ldflags "$flags" -o "$BIN/" ./apiserver ./kubectl
}

folder_of() { go mod download -json "$1" | node -e 'console.log(JSON.parse(require("node:fs").readFileSync(0, "utf8")).Dir)'; }

build_schemas() {
  [ -d "$here/../../node_modules/js-yaml" ] || { echo 'The packages are missing: run npm run setup first.' >&2; exit 1; }
  rm -rf "$CRDS" "$SCHEMAS"
  mkdir -p "$CRDS" "$SCHEMAS"
  local kubernetes
  kubernetes="$(go list -C "$here/tools/kubernetes" -m -f '{{.Dir}}' k8s.io/kubernetes)"
  install -m 644 "$(folder_of "$GATEWAY_API")/config/crd/standard/gateway.networking.k8s.io_httproutes.yaml" "$CRDS/"
  local operator kind
  operator="$(folder_of "$PROMETHEUS_OPERATOR")"
  for kind in "${PROMETHEUS_KINDS[@]}"; do
    install -m 644 "$operator/example/prometheus-operator-crd/monitoring.coreos.com_$kind.yaml" "$CRDS/"
  done
  install -m 644 "$(folder_of "$KUBERAY")/config/crd/bases/ray.io_rayclusters.yaml" "$CRDS/"
  node "$here/make-schemas.mjs" "$kubernetes/api/openapi-spec/swagger.json" "$CRDS" "$SCHEMAS"
}

need_helm() { unless_built helm "$HELM 1.34" build_helm; }

build_tools() {
  unless_built etcd "$(cat "$here/tools/etcd/go.sum" "$here/tools/etcd/main.go")" build_etcd
  unless_built kubernetes "$(cat "$here"/tools/kubernetes/go.mod "$here"/tools/kubernetes/*/main.go) $KUBERNETES_VERSION" build_kubernetes
  need_helm
  unless_built kubeconform "$KUBECONFORM" build_kubeconform
  unless_built helm-docs "$HELM_DOCS" build_helm_docs
  unless_built schemas "$(cat "$here/tools/kubernetes/go.mod" "$here/make-schemas.mjs") $GATEWAY_API $PROMETHEUS_OPERATOR ${PROMETHEUS_KINDS[*]} $KUBERAY" build_schemas
}
