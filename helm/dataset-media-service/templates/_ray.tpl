{{- define "dms.rayName" -}}
{{ include "dms.fullname" . }}-ray
{{- end -}}

{{- /* Whether the chart makes the cluster. */ -}}
{{- define "dms.makesRay" -}}
{{- if and .Values.ray.enabled (not .Values.ray.address) }}true{{ end -}}
{{- end -}}

{{- /* KubeRay names the Service of the head after the cluster. */ -}}
{{- define "dms.rayAddress" -}}
{{- .Values.ray.address | default (printf "http://%s-head-svc:8265" (include "dms.rayName" .)) | trimSuffix "/" -}}
{{- end -}}

{{- define "dms.rayToken" -}}
{{- with .ctx.Values.ray -}}
{{- include "dms.secretVariable" (dict "env" "RAY_AUTH_TOKEN" "existing" .existingSecret "key" .secretKey "value" .token "made" $.made) }}
{{- end -}}
{{- end -}}

{{- /* What a step runner needs: the store and the places of media, and neither the database nor the secret key. */ -}}
{{- define "dms.rayEnvironment" -}}
{{- $v := .ctx.Values -}}
{{- $name := include "dms.fullname" .ctx -}}
{{- $made := printf "%s-settings" $name -}}
{{- $plain := include "dms.plainVariables" (dict "ctx" .ctx "role" "worker") | fromYaml -}}
- name: RAY_AUTH_MODE
  value: token
- name: HOME
  value: /data
{{- range $variable := list "STORAGE_URL" "S3_ENDPOINT" "S3_REGION" "DATA_DIR" "MODELS_DIR" "MEDIA_ROOTS" "MEDIA_BUCKETS" "CALL_TIMEOUT_SECONDS" "NODE_EXTRA_CA_CERTS" }}
{{- if hasKey $plain $variable }}
- name: {{ $variable }}
  value: {{ get $plain $variable | quote }}
{{- end }}
{{- end }}
{{- include "dms.storeKeys" (dict "ctx" .ctx "made" $made) }}
{{- include "dms.rayToken" (dict "ctx" .ctx "made" $made) }}
{{- with $v.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* Arguments: ctx, component, settings (.Values.ray.head or .Values.ray.nodes). */ -}}
{{- define "dms.rayPod" -}}
{{- $v := .ctx.Values -}}
{{- /* The autoscaler of the head needs the account and the token that KubeRay gives it. */ -}}
{{- $scales := and (eq .component "ray-head") $v.ray.nodes.autoscaling.enabled -}}
metadata:
  labels:
    {{- include "dms.labels" . | nindent 4 }}
  annotations:
    checksum/settings: {{ include "dms.madeSecrets" .ctx | sha256sum }}
spec:
  {{- if not $scales }}
  serviceAccountName: {{ include "dms.serviceAccountName" .ctx }}
  {{- end }}
  automountServiceAccountToken: {{ $scales }}
  enableServiceLinks: false
  {{- include "dms.pullSecrets" .ctx | nindent 2 }}
  terminationGracePeriodSeconds: 45
  securityContext:
    {{- include "dms.podSecurityContext" (dict "user" $v.podSecurity.runAsUser "group" $v.podSecurity.runAsGroup) | nindent 4 }}
  {{- include "dms.modelsInit" .ctx | nindent 2 }}
  containers:
    - name: {{ .component }}
      image: {{ include "dms.image" (dict "ctx" .ctx "image" $v.ray.image) }}
      imagePullPolicy: {{ $v.image.pullPolicy }}
      env:
        {{- include "dms.rayEnvironment" (dict "ctx" .ctx) | nindent 8 }}
      {{- if eq .component "ray-head" }}
      ports:
        - { name: gcs-server, containerPort: 6379 }
        - { name: dashboard, containerPort: 8265 }
        - { name: client, containerPort: 10001 }
      {{- end }}
      securityContext:
        {{- include "dms.containerSecurityContext" .ctx | nindent 8 }}
      resources:
        {{- toYaml .settings.resources | nindent 8 }}
      volumeMounts:
        {{- include "dms.mounts" .ctx | nindent 8 }}
        - name: shared-memory
          mountPath: /dev/shm
  volumes:
    {{- include "dms.volumes" (dict "ctx" .ctx "scratchSize" .settings.scratchSize) | nindent 4 }}
    - name: shared-memory
      emptyDir:
        medium: Memory
        sizeLimit: 512Mi
  {{- with .settings.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .settings.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .settings.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
