{{- define "dms.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- /* What a Service or a policy selects; never changes within a release. */ -}}
{{- define "dms.selector" -}}
app.kubernetes.io/name: {{ default .ctx.Chart.Name .ctx.Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .ctx.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{- define "dms.labels" -}}
{{ include "dms.selector" . }}
app.kubernetes.io/version: {{ .ctx.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .ctx.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .ctx.Chart.Name .ctx.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{- define "dms.image" -}}
{{- $tag := default .ctx.Chart.AppVersion .image.tag -}}
{{- with .ctx.Values.imageRegistry }}{{ . | trimSuffix "/" }}/{{ end -}}
{{- .image.repository -}}
{{- if .image.digest }}@{{ .image.digest }}{{ else }}:{{ $tag }}{{ end -}}
{{- end -}}

{{- define "dms.serviceAccountName" -}}
{{- default (ternary (include "dms.fullname" .) "default" .Values.serviceAccount.create) .Values.serviceAccount.name -}}
{{- end -}}

{{- define "dms.baseUrl" -}}
{{- .Values.baseUrl | trimSuffix "/" -}}
{{- end -}}

{{- define "dms.host" -}}
{{- with .Values.baseUrl }}{{ (urlParse .).host | splitList ":" | first }}{{ end -}}
{{- end -}}

{{- /* The names by which an open service may be asked, besides the host of baseUrl: those of its Service and its routes. None without baseUrl and auth.allowedHosts. */ -}}
{{- define "dms.allowedHosts" -}}
{{- $v := .Values -}}
{{- if or $v.baseUrl $v.auth.allowedHosts -}}
{{- $name := include "dms.fullname" . -}}
{{- $inNamespace := printf "%s.%s" $name .Release.Namespace -}}
{{- $names := list $name $inNamespace (printf "%s.svc" $inNamespace) (printf "%s.svc.cluster.local" $inNamespace) -}}
{{- if and $v.ingress.enabled $v.ingress.host }}{{ $names = append $names $v.ingress.host }}{{ end -}}
{{- if $v.httpRoute.enabled }}{{ $names = concat $names $v.httpRoute.hostnames }}{{ end -}}
{{- concat $names $v.auth.allowedHosts | uniq | join "," -}}
{{- end -}}
{{- end -}}

{{- /* The port of a URL, from its text or its scheme. */ -}}
{{- define "dms.portOf" -}}
{{- $url := urlParse . -}}
{{- $parts := $url.host | splitList ":" -}}
{{- if gt (len $parts) 1 }}{{ last $parts }}{{ else }}{{ ternary 443 80 (eq $url.scheme "https") }}{{ end -}}
{{- end -}}

{{- define "dms.s3Endpoint" -}}
{{- if .Values.quickstart.s3.enabled -}}
http://{{ include "dms.fullname" . }}-s3:9000
{{- else -}}
{{ .Values.storage.endpoint }}
{{- end -}}
{{- end -}}

{{- define "dms.storageUrl" -}}
{{- if .Values.quickstart.s3.enabled -}}
s3://{{ .Values.quickstart.s3.bucket }}
{{- else -}}
{{ .Values.storage.url }}
{{- end -}}
{{- end -}}

{{- /* Pod Security "restricted". */ -}}
{{- define "dms.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: {{ int64 .user }}
runAsGroup: {{ int64 .group }}
fsGroup: {{ int64 .group }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "dms.containerSecurityContext" -}}
allowPrivilegeEscalation: false
privileged: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "dms.pullSecrets" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}
