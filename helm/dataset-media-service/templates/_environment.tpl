{{- /* Where a secret variable comes from: a Secret of the administrator, or the one of this release. */ -}}
{{- define "dms.secretVariable" -}}
{{- if or .existing .value }}
- name: {{ .env }}
  valueFrom:
    secretKeyRef:
      name: {{ .existing | default .made }}
      key: {{ ternary .key .env (ne .existing "") }}
{{- end }}
{{- end -}}

{{- /* The keys of the store. Arguments: ctx, made. */ -}}
{{- define "dms.storeKeys" -}}
{{- $v := .ctx.Values -}}
{{- $made := .made -}}
{{- $quick := printf "%s-quickstart" (include "dms.fullname" .ctx) -}}
{{- if $v.quickstart.s3.enabled }}
{{- include "dms.secretVariable" (dict "env" "S3_ACCESS_KEY" "existing" $quick "key" "S3_ACCESS_KEY") }}
{{- include "dms.secretVariable" (dict "env" "S3_SECRET_KEY" "existing" $quick "key" "S3_SECRET_KEY") }}
{{- else }}
{{- with $v.storage }}
{{- include "dms.secretVariable" (dict "env" "S3_ACCESS_KEY" "existing" .existingSecret "key" .accessKeySecretKey "value" .accessKey "made" $made) }}
{{- include "dms.secretVariable" (dict "env" "S3_SECRET_KEY" "existing" .existingSecret "key" .secretKeySecretKey "value" .secretKey "made" $made) }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "dms.secretVariables" -}}
{{- $v := .ctx.Values -}}
{{- $name := include "dms.fullname" .ctx -}}
{{- $made := .made | default (printf "%s-settings" $name) -}}
{{- $quick := printf "%s-quickstart" $name -}}
{{- if $v.quickstart.postgres.enabled }}
{{- include "dms.secretVariable" (dict "env" "DATABASE_URL" "existing" $quick "key" "DATABASE_URL") }}
{{- else }}
{{- with $v.database }}
{{- include "dms.secretVariable" (dict "env" "DATABASE_URL" "existing" .existingSecret "key" .secretKey "value" .url "made" $made) }}
{{- $direct := ternary .existingSecret "" (ne .directSecretKey "") }}
{{- include "dms.secretVariable" (dict "env" "DATABASE_DIRECT_URL" "existing" $direct "key" .directSecretKey "value" .directUrl "made" $made) }}
{{- end }}
{{- end }}
{{- include "dms.storeKeys" (dict "ctx" .ctx "made" $made) }}
{{- with $v.secretKey }}
{{- $kept := ternary (printf "%s-secret-key" $name) .existingSecret .generate }}
{{- include "dms.secretVariable" (dict "env" "SECRET_KEY" "existing" $kept "key" .secretKey "value" .value "made" $made) }}
{{- $accepted := ternary .existingSecret "" (ne .acceptedSecretKey "") }}
{{- include "dms.secretVariable" (dict "env" "ACCEPTED_SECRET_KEY" "existing" $accepted "key" .acceptedSecretKey "made" $made) }}
{{- end }}
{{- if eq $v.auth.mode "oidc" }}
{{- with $v.auth.oidc }}
{{- include "dms.secretVariable" (dict "env" "OIDC_CLIENT_SECRET" "existing" .existingSecret "key" .secretKey "value" .clientSecret "made" $made) }}
{{- end }}
{{- with $v.auth.keycloakAdmin }}
{{- if .url }}
{{- include "dms.secretVariable" (dict "env" "KEYCLOAK_ADMIN_CLIENT_SECRET" "existing" .existingSecret "key" .secretKey "value" .clientSecret "made" $made) }}
{{- end }}
{{- end }}
{{- end }}
{{- if $v.ray.enabled }}
{{- include "dms.rayToken" (dict "ctx" .ctx "made" $made) }}
{{- end }}
{{- with $v.pipeline }}
{{- include "dms.secretVariable" (dict "env" "PIPELINE_TOKEN" "existing" .existingSecret "key" .secretKey "value" .token "made" $made) }}
{{- end }}
{{- end -}}

{{- /* The secrets that stand in values, for a Secret of this release. */ -}}
{{- define "dms.madeSecrets" -}}
{{- $v := .Values -}}
{{- $all := dict -}}
{{- if and (not $v.quickstart.postgres.enabled) (not $v.database.existingSecret) -}}
{{- $_ := set $all "DATABASE_URL" $v.database.url -}}
{{- end -}}
{{- if or (not $v.database.existingSecret) (not $v.database.directSecretKey) -}}
{{- $_ := set $all "DATABASE_DIRECT_URL" $v.database.directUrl -}}
{{- end -}}
{{- if and (not $v.quickstart.s3.enabled) (not $v.storage.existingSecret) -}}
{{- $_ := set $all "S3_ACCESS_KEY" $v.storage.accessKey -}}
{{- $_ := set $all "S3_SECRET_KEY" $v.storage.secretKey -}}
{{- end -}}
{{- if and (not $v.secretKey.generate) (not $v.secretKey.existingSecret) -}}
{{- $_ := set $all "SECRET_KEY" $v.secretKey.value -}}
{{- end -}}
{{- if not $v.auth.oidc.existingSecret -}}
{{- $_ := set $all "OIDC_CLIENT_SECRET" $v.auth.oidc.clientSecret -}}
{{- end -}}
{{- if not $v.auth.keycloakAdmin.existingSecret -}}
{{- $_ := set $all "KEYCLOAK_ADMIN_CLIENT_SECRET" $v.auth.keycloakAdmin.clientSecret -}}
{{- end -}}
{{- if not $v.pipeline.existingSecret -}}
{{- $_ := set $all "PIPELINE_TOKEN" $v.pipeline.token -}}
{{- end -}}
{{- if and $v.ray.enabled (not $v.ray.existingSecret) -}}
{{- $_ := set $all "RAY_AUTH_TOKEN" $v.ray.token -}}
{{- end -}}
{{- range $name, $value := $all }}
{{- if $value }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{- /* Apart from the port of the API, which an Ingress or a load balancer may show to everyone. */ -}}
{{- define "dms.metricsPort" -}}9464{{- end -}}

{{- /* The plain variables that the chart sets, by name. */ -}}
{{- define "dms.plainVariables" -}}
{{- $v := .ctx.Values -}}
PORT: "3000"
METRICS_PORT: {{ include "dms.metricsPort" .ctx | quote }}
HOST: 0.0.0.0
DATA_DIR: /data
ROLE: {{ .role }}
STORAGE_URL: {{ include "dms.storageUrl" .ctx | quote }}
S3_ENDPOINT: {{ include "dms.s3Endpoint" .ctx | quote }}
S3_REGION: {{ $v.storage.region | quote }}
{{- with $v.storage.publicEndpoint }}
PUBLIC_S3_ENDPOINT: {{ . | quote }}
{{- end }}
{{- with include "dms.baseUrl" .ctx }}
BASE_URL: {{ . | quote }}
{{- end }}
AUTH_MODE: {{ $v.auth.mode }}
{{- if eq $v.auth.mode "none" }}
ALLOW_OPEN: "true"
{{- with include "dms.allowedHosts" .ctx }}
ALLOWED_HOSTS: {{ . | quote }}
{{- end }}
{{- else }}
OIDC_ISSUER: {{ $v.auth.oidc.issuer | quote }}
OIDC_CLIENT_ID: {{ $v.auth.oidc.clientId | quote }}
{{- with $v.auth.oidc.redirectUri }}
OIDC_REDIRECT_URI: {{ . | quote }}
{{- end }}
{{- with $v.auth.keycloakAdmin.url }}
KEYCLOAK_ADMIN_URL: {{ . | quote }}
KEYCLOAK_ADMIN_CLIENT_ID: {{ $v.auth.keycloakAdmin.clientId | quote }}
{{- end }}
{{- end }}
{{- with $v.auth.bootstrapAdminEmail }}
BOOTSTRAP_ADMIN_EMAIL: {{ . | quote }}
{{- end }}
{{- if $v.pipeline.enabled }}
PIPELINE_PORT: {{ $v.pipeline.port | quote }}
{{- end }}
{{- if include "dms.hasModels" .ctx }}
MODELS_DIR: /models
{{- end }}
{{- if $v.media.volumes }}
MEDIA_ROOTS: /media
{{- end }}
{{- if $v.ray.enabled }}
ENGINE: ray
RAY_ADDRESS: {{ include "dms.rayAddress" .ctx | quote }}
{{- end }}
{{- with .concurrency }}
WORKER_CONCURRENCY: {{ . | quote }}
{{- end }}
{{- with .drainSeconds }}
DRAIN_SECONDS: {{ . | quote }}
{{- end }}
{{- if $v.trustedCertificates.existingConfigMap }}
NODE_EXTRA_CA_CERTS: /etc/dataset-media-service/certificates/ca.crt
{{- end }}
{{- range $name, $value := $v.settings }}
{{ $name }}: {{ ternary (printf "%.0f" (float64 $value)) (toString $value) (and (kindIs "float64" $value) (eq (floor $value) (float64 $value))) | quote }}
{{- end }}
{{- end -}}

{{- define "dms.environment" -}}
{{- range $name, $value := include "dms.plainVariables" . | fromYaml }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- include "dms.secretVariables" . }}
{{- with .ctx.Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}
