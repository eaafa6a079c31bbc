# Keycloak with a realm of users; sourced by up.
KEYCLOAK_VERSION=26.7.3
KEYCLOAK="$CACHE/keycloak-$KEYCLOAK_VERSION"

install_keycloak() {
  [ -d "$KEYCLOAK" ] && return
  command -v java >/dev/null && command -v mvn >/dev/null || { echo 'Keycloak needs Java 17 or newer, and Maven to fetch it, on the PATH.' >&2; exit 1; }
  echo 'Fetching Keycloak (160 MB, once) …' >&2
  rm -rf "$CACHE/keycloak.new"
  mkdir -p "$CACHE/keycloak.new"
  # Maven writes files into the folder that it runs in.
  (cd "$CACHE/keycloak.new" && mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack \
    -Dartifact="org.keycloak:keycloak-quarkus-dist:$KEYCLOAK_VERSION:zip" -DoutputDirectory="$CACHE/keycloak.new") >&2
  mv "$CACHE/keycloak.new/keycloak-$KEYCLOAK_VERSION" "$KEYCLOAK"
  rm -rf "$CACHE/keycloak.new"
}

start_keycloak() {
  if ! is_alive keycloak; then
    local port
    port="$(free_port)"
    # Keycloak imports a realm only if it does not exist.
    rm -rf "$KEYCLOAK/data"
    mkdir -p "$KEYCLOAK/data/import"
    cp "$here/keycloak-realm.json" "$KEYCLOAK/data/import/media.json"
    KC_BOOTSTRAP_ADMIN_USERNAME=admin KC_BOOTSTRAP_ADMIN_PASSWORD=admin JAVA_OPTS_KC_HEAP='-Xms64m -Xmx512m' \
      setsid bash "$KEYCLOAK/bin/kc.sh" start-dev --http-host=127.0.0.1 --http-port="$port" --import-realm \
      >"$RUN/keycloak.log" 2>&1 </dev/null &
    echo $! >"$RUN/keycloak.pid"
    echo "$port" >"$RUN/keycloak.port"
  fi
  wait_for keycloak "http://127.0.0.1:$(cat "$RUN/keycloak.port")/realms/media/.well-known/openid-configuration"
}

environment_of_keycloak() {
  cat <<VARIABLES
TEST_KEYCLOAK_URL=http://127.0.0.1:$(cat "$RUN/keycloak.port")
TEST_KEYCLOAK_REALM=media
TEST_KEYCLOAK_CLIENT_ID=dataset-media-service
TEST_KEYCLOAK_CLIENT_SECRET=test-client-secret
TEST_KEYCLOAK_ADMIN_CLIENT_ID=dataset-media-service-admin
TEST_KEYCLOAK_ADMIN_CLIENT_SECRET=test-admin-secret
TEST_KEYCLOAK_ROOT_USERNAME=admin
TEST_KEYCLOAK_ROOT_PASSWORD=admin
VARIABLES
}
