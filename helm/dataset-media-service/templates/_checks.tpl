{{- /* The service's variables that values of their own set, with the name of that value. */ -}}
{{- define "dms.ownedVariables" -}}
PORT: service.port
HOST: service.type
DATA_DIR: api.scratchSize
ROLE: api.replicas
BASE_URL: baseUrl
DATABASE_URL: database
DATABASE_DIRECT_URL: database
STORAGE_URL: storage.url
S3_ENDPOINT: storage.endpoint
PUBLIC_S3_ENDPOINT: storage.publicEndpoint
S3_REGION: storage.region
S3_ACCESS_KEY: storage
S3_SECRET_KEY: storage
MEDIA_ROOTS: media.volumes
AUTH_MODE: auth.mode
ALLOW_OPEN: auth.allowOpen
ALLOWED_HOSTS: auth.allowedHosts
OIDC_ISSUER: auth.oidc.issuer
OIDC_CLIENT_ID: auth.oidc.clientId
OIDC_CLIENT_SECRET: auth.oidc
OIDC_REDIRECT_URI: auth.oidc.redirectUri
BOOTSTRAP_ADMIN_EMAIL: auth.bootstrapAdminEmail
KEYCLOAK_ADMIN_URL: auth.keycloakAdmin.url
KEYCLOAK_ADMIN_CLIENT_ID: auth.keycloakAdmin.clientId
KEYCLOAK_ADMIN_CLIENT_SECRET: auth.keycloakAdmin
SECRET_KEY: secretKey
ACCEPTED_SECRET_KEY: secretKey.acceptedSecretKey
PIPELINE_PORT: pipeline.port
PIPELINE_TOKEN: pipeline
METRICS_PORT: serviceMonitor
MODELS_DIR: models
WORKER_CONCURRENCY: worker.concurrency
DRAIN_SECONDS: api.drainSeconds
ENGINE: ray.enabled
RAY_ADDRESS: ray.address
RAY_AUTH_TOKEN: ray
NODE_EXTRA_CA_CERTS: trustedCertificates
{{- end -}}

{{- /* The other variables of the service, for `settings`. */ -}}
{{- define "dms.settings" -}}
- MEDIA_BUCKETS
- WEBHOOK_HOSTS
- TRUSTED_PROXIES
- RUN_MODE
- SINGLE_WORKSPACE
- SESSION_IDLE_SECONDS
- SESSION_MAX_SECONDS
- JWT_MAX_LIFETIME
- MAX_UPLOAD_BYTES
- MAX_FILES_PER_UPLOAD
- MEMORY_BYTES
- EXPLORE_CACHE_BYTES
- ANNOTATION_CACHE_BYTES
- VECTOR_CACHE_BYTES
- INDEX_CACHE_BYTES
- INDEXING_MEMORY_BYTES
- MAX_ARCHIVE_BYTES
- OUTAGE_WAIT_SECONDS
- CALL_TIMEOUT_SECONDS
- OWNED_BY
- OTEL_SDK_DISABLED
- OTEL_TRACES_EXPORTER
- OTEL_EXPORTER_OTLP_ENDPOINT
- OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
- OTEL_EXPORTER_OTLP_PROTOCOL
- OTEL_SERVICE_NAME
- OTEL_TRACES_SAMPLER
- OTEL_TRACES_SAMPLER_ARG
- ADD_MEDIA_ENABLED
- DATASET_SNAPSHOTS_ENABLED
- DELETE_DATASET_ENABLED
- DATASET_SHARE_ENABLED
- SWAP_RGB_CHANNELS_FOR_TIFF_HEIC
- FRAME_EXTRACTION_RESIZE_HEIGHT
- MAX_NUM_OF_IMAGES
- IMAGE_MODEL
- TEXT_MODEL
- LOG_LEVEL
- RATE_LIMIT_LOGIN
- RATE_LIMIT_CREDENTIALS
- RATE_LIMIT_UPLOAD
- RATE_LIMIT_SEARCH
- RATE_LIMIT_EXPORT
- RATE_LIMIT_PUBLIC
- RATE_LIMIT_MEDIA
- MAX_STREAMS_PER_USER
- MAX_VIEWS_PER_USER
- MAX_VIEWS_PER_DATASET
- MAX_NOTIFICATIONS_PER_BATCH
- VL_CHAT_ENABLED
- ENRICHMENT_INLINE_FLOW_ENABLED
- ENRICHMENT_PREVIEW_SERVICE_ENABLED
- ENRICHMENT_DKMC2_ENABLED
- PREPROCESS_ENABLED
- DATASET_INGESTION_ONPREM_UI_ENABLED
- DATASET_CREATION_V2
- FILE_FILTER_TREE_INCLUDE_FILES
- SERVE_ORIGINAL_IMAGE
- SERVE_ORIGINAL_VIDEO
- SKIP_IMAGE_THUMBNAIL_GENERATION
- CLEAN_THRESHOLD
{{- end -}}

{{- define "dms.checks" -}}
{{- $v := .Values -}}
{{- $owned := include "dms.ownedVariables" . | fromYaml -}}
{{- $settings := include "dms.settings" . | fromYamlArray -}}
{{- range $name, $_ := $v.settings -}}
{{- if hasKey $owned $name }}{{ fail (printf "settings.%s: the chart sets this variable itself; set the value %s instead." $name (get $owned $name)) }}{{ end -}}
{{- if not (has $name $settings) }}{{ fail (printf "settings.%s: the service has no such variable; for variables that are not its own there is extraEnv." $name) }}{{ end -}}
{{- end -}}
{{- range $v.extraEnv -}}
{{- if hasKey $owned .name }}{{ fail (printf "extraEnv: the chart sets %s itself; set the value %s instead." .name (get $owned .name)) }}{{ end -}}
{{- if has .name $settings }}{{ fail (printf "extraEnv: %s is a variable of the service; set settings.%s instead." .name .name) }}{{ end -}}
{{- end -}}
{{- include "dms.checkConnections" . -}}
{{- include "dms.checkAccess" . -}}
{{- include "dms.checkPods" . -}}
{{- end -}}

{{- define "dms.checkConnections" -}}
{{- with .Values -}}
{{- if and .backup.enabled (not (or .backup.place .backup.existingClaim)) }}{{ fail "The place of backups is missing: set backup.place to s3://bucket/prefix, or backup.existingClaim to a PersistentVolumeClaim." }}{{ end -}}
{{- if and .backup.enabled .backup.place .backup.existingClaim }}{{ fail "Backups have one place: set either backup.place or backup.existingClaim." }}{{ end -}}
{{- if not (or .quickstart.postgres.enabled .database.existingSecret .database.url) }}{{ fail "Postgres is missing: set database.existingSecret to a Secret with its URL, or install with values-quickstart.yaml for a trial." }}{{ end -}}
{{- if not .quickstart.s3.enabled -}}
{{- if not (and .storage.url .storage.endpoint) }}{{ fail "The S3 store is missing: set storage.url (s3://bucket) and storage.endpoint, or install with values-quickstart.yaml for a trial." }}{{ end -}}
{{- if not (or .storage.existingSecret (and .storage.accessKey .storage.secretKey)) }}{{ fail "The keys of the S3 store are missing: set storage.existingSecret to a Secret with S3_ACCESS_KEY and S3_SECRET_KEY." }}{{ end -}}
{{- end -}}
{{- $keys := 0 -}}
{{- range list .secretKey.existingSecret .secretKey.value .secretKey.generate }}{{ if . }}{{ $keys = add $keys 1 }}{{ end }}{{ end -}}
{{- if and .secretKey.acceptedSecretKey (not .secretKey.existingSecret) }}{{ fail "secretKey.acceptedSecretKey names a key of the Secret in secretKey.existingSecret, which is not set." }}{{ end -}}
{{- if ne (int $keys) 1 }}{{ fail "The secret key must come from one place: set secretKey.existingSecret to a Secret with SECRET_KEY (openssl rand -base64 32), or secretKey.generate=true for a trial." }}{{ end -}}
{{- end -}}
{{- end -}}

{{- define "dms.checkAccess" -}}
{{- with .Values -}}
{{- if and (eq .auth.mode "none") (not .auth.allowOpen) }}{{ fail "auth.mode=none makes everyone who reaches the service its admin: set auth.mode=oidc, or auth.allowOpen=true if you mean it." }}{{ end -}}
{{- if eq .auth.mode "oidc" -}}
{{- if not (and .auth.oidc.issuer .auth.oidc.clientId (or .auth.oidc.existingSecret .auth.oidc.clientSecret)) }}{{ fail "Sign-in needs a provider: set auth.oidc.issuer, auth.oidc.clientId and auth.oidc.existingSecret." }}{{ end -}}
{{- if not .baseUrl }}{{ fail "Sign-in needs the public URL of the service: set baseUrl." }}{{ end -}}
{{- if and .auth.keycloakAdmin.url (not (and .auth.keycloakAdmin.clientId (or .auth.keycloakAdmin.existingSecret .auth.keycloakAdmin.clientSecret))) }}{{ fail "auth.keycloakAdmin.url needs a service account: set auth.keycloakAdmin.clientId and auth.keycloakAdmin.existingSecret." }}{{ end -}}
{{- if and .pipeline.enabled (not (or .pipeline.existingSecret .pipeline.token)) }}{{ fail "The pipeline interface needs a token: set pipeline.existingSecret to a Secret with PIPELINE_TOKEN." }}{{ end -}}
{{- end -}}
{{- if and .ingress.enabled (not .ingress.host) (not .baseUrl) }}{{ fail "The Ingress needs a host: set ingress.host or baseUrl." }}{{ end -}}
{{- if .httpRoute.enabled -}}
{{- if not .httpRoute.parentRefs }}{{ fail "The HTTPRoute needs a gateway: set httpRoute.parentRefs." }}{{ end -}}
{{- if not (or .httpRoute.hostnames .baseUrl) }}{{ fail "The HTTPRoute needs a host: set httpRoute.hostnames or baseUrl." }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "dms.checkPods" -}}
{{- $v := .Values -}}
{{- with $v.ray -}}
{{- if and .enabled (not .address) (not (or .existingSecret .token)) }}{{ fail "The Ray cluster needs a token: set ray.existingSecret to a Secret with RAY_AUTH_TOKEN." }}{{ end -}}
{{- if gt (int .nodes.autoscaling.minReplicas) (int .nodes.autoscaling.maxReplicas) }}{{ fail "ray.nodes.autoscaling: minReplicas is above maxReplicas." }}{{ end -}}
{{- end -}}
{{- if and $v.models.existingClaim $v.models.init.repository }}{{ fail "Models come from one place: set models.existingClaim or models.init.repository." }}{{ end -}}
{{- range $name := list "api" "worker" -}}
{{- $settings := get $v $name -}}
{{- $grace := int $settings.terminationGracePeriodSeconds -}}
{{- if lt $grace (int (add 10 (default 0 $settings.drainSeconds))) }}{{ fail (printf "%s.terminationGracePeriodSeconds=%d kills the service while it ends: it needs 10 seconds after drainSeconds." $name $grace) }}{{ end -}}
{{- range $label, $_ := $settings.podLabels -}}
{{- if hasPrefix "app.kubernetes.io/" $label }}{{ fail (printf "%s.podLabels: the chart sets %s itself; use another label." $name $label) }}{{ end -}}
{{- end -}}
{{- if gt (int $settings.autoscaling.minReplicas) (int $settings.autoscaling.maxReplicas) }}{{ fail (printf "%s.autoscaling: minReplicas is above maxReplicas." $name) }}{{ end -}}
{{- end -}}
{{- end -}}
