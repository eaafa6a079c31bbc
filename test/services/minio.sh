# An S3 store with conditional writes; sourced by up.
install_minio() {
  [ -x "$BIN/minio" ] && return
  command -v go >/dev/null || { echo 'Building MinIO needs Go 1.24 or newer on the PATH.' >&2; exit 1; }
  echo 'Building MinIO (two minutes on idle cores, once) …' >&2
  GOBIN="$BIN" CGO_ENABLED=0 go install github.com/minio/minio@latest
}

start_minio() {
  if ! is_alive minio; then
    local port
    port="$(free_port)"
    rm -rf "$RUN/minio-data"
    mkdir -p "$RUN/minio-data"
    MINIO_ROOT_USER=test-access-key MINIO_ROOT_PASSWORD=test-secret-key MINIO_BROWSER=off MINIO_UPDATE=off \
      setsid "$BIN/minio" server "$RUN/minio-data" --address "127.0.0.1:$port" >"$RUN/minio.log" 2>&1 </dev/null &
    echo $! >"$RUN/minio.pid"
    echo "$port" >"$RUN/minio.port"
  fi
  wait_for minio "http://127.0.0.1:$(cat "$RUN/minio.port")/minio/health/ready"
}

environment_of_minio() {
  cat <<VARIABLES
TEST_S3_ENDPOINT=http://127.0.0.1:$(cat "$RUN/minio.port")
TEST_S3_REGION=us-east-1
TEST_S3_ACCESS_KEY=test-access-key
TEST_S3_SECRET_KEY=test-secret-key
VARIABLES
}
