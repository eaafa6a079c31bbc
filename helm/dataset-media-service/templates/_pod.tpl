{{- define "dms.hasModels" -}}
{{- if or .Values.models.existingClaim .Values.models.init.repository .Values.models.install }}true{{ end -}}
{{- end -}}

{{- define "dms.volumes" -}}
{{- $v := .ctx.Values -}}
- name: data
  emptyDir:
    sizeLimit: {{ .scratchSize }}
- name: tmp
  emptyDir:
    sizeLimit: 10Gi
{{- if $v.models.existingClaim }}
- name: models
  persistentVolumeClaim:
    claimName: {{ $v.models.existingClaim }}
    readOnly: {{ empty $v.models.install }}
{{- else if include "dms.hasModels" .ctx }}
- name: models
  emptyDir:
    sizeLimit: {{ $v.models.init.sizeLimit }}
{{- end }}
{{- range $v.media.volumes }}
- name: media-{{ .name }}
  persistentVolumeClaim:
    claimName: {{ .existingClaim }}
    readOnly: true
{{- end }}
{{- with $v.trustedCertificates }}
{{- if .existingConfigMap }}
- name: certificates
  configMap:
    name: {{ .existingConfigMap }}
    items:
      - key: {{ .key }}
        path: ca.crt
{{- end }}
{{- end }}
{{- end -}}

{{- define "dms.mounts" -}}
{{- $v := .Values -}}
- name: data
  mountPath: /data
- name: tmp
  mountPath: /tmp
{{- if include "dms.hasModels" . }}
- name: models
  mountPath: /models
  readOnly: true
  {{- with $v.models.subPath }}
  subPath: {{ . }}
  {{- end }}
{{- end }}
{{- range $v.media.volumes }}
- name: media-{{ .name }}
  mountPath: /media/{{ .name }}
  readOnly: true
  {{- with .subPath }}
  subPath: {{ . }}
  {{- end }}
{{- end }}
{{- if $v.trustedCertificates.existingConfigMap }}
- name: certificates
  mountPath: /etc/dataset-media-service/certificates
  readOnly: true
{{- end }}
{{- end -}}

{{- define "dms.modelsInit" -}}
{{- $v := .Values -}}
{{- $copies := and $v.models.init.repository (not $v.models.existingClaim) -}}
{{- if or $copies $v.models.install }}
initContainers:
  {{- if $copies }}
  - name: models
    image: {{ include "dms.image" (dict "ctx" . "image" $v.models.init) }}
    imagePullPolicy: {{ $v.image.pullPolicy }}
    {{- with $v.models.init.command }}
    command: {{ toJson . }}
    {{- end }}
    {{- with $v.models.init.args }}
    args: {{ toJson . }}
    {{- end }}
    securityContext:
      {{- include "dms.containerSecurityContext" . | nindent 6 }}
    resources:
      {{- toYaml $v.models.init.resources | nindent 6 }}
    volumeMounts:
      - name: models
        mountPath: /models
  {{- end }}
  {{- with $v.models.install }}
  - name: install-models
    image: {{ include "dms.image" (dict "ctx" $ "image" $v.image) }}
    imagePullPolicy: {{ $v.image.pullPolicy }}
    args: {{ toJson (concat (list "node" "dist/commands/models.js" "install") .) }}
    env:
      - name: HOST
        value: 127.0.0.1
      {{- if $v.trustedCertificates.existingConfigMap }}
      - name: NODE_EXTRA_CA_CERTS
        value: /etc/dataset-media-service/certificates/ca.crt
      {{- end }}
      {{- with $v.extraEnv }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    securityContext:
      {{- include "dms.containerSecurityContext" $ | nindent 6 }}
    resources:
      {{- toYaml $v.models.init.resources | nindent 6 }}
    volumeMounts:
      - name: data
        mountPath: /data
      - name: models
        mountPath: /data/models
        {{- with $v.models.subPath }}
        subPath: {{ . }}
        {{- end }}
      - name: tmp
        mountPath: /tmp
      {{- if $v.trustedCertificates.existingConfigMap }}
      - name: certificates
        mountPath: /etc/dataset-media-service/certificates
        readOnly: true
      {{- end }}
  {{- end }}
{{- end }}
{{- end -}}

{{- /* A slow start has its own probe, so a process that hangs later is noticed soon. */ -}}
{{- define "dms.probes" -}}
startupProbe:
  httpGet: { path: /health/live, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: {{ max 1 (div .Values.probes.startSeconds 5) }}
livenessProbe:
  httpGet: { path: /health/live, port: http }
  periodSeconds: 10
  timeoutSeconds: 10
  failureThreshold: {{ max 1 (div .Values.probes.deadSeconds 10) }}
readinessProbe:
  httpGet: { path: /health/ready, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 3
{{- end -}}

{{- define "dms.spread" -}}
{{- if .ctx.Values.topologySpread.enabled }}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - topologyKey: {{ . }}
    maxSkew: 1
    whenUnsatisfiable: {{ $.ctx.Values.topologySpread.whenUnsatisfiable }}
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels:
        {{- include "dms.selector" $ | nindent 8 }}
  {{- end }}
{{- end }}
{{- end -}}

{{- /* Arguments: ctx, component, settings (.Values.api or .Values.worker). */ -}}
{{- define "dms.deployment" -}}
{{- $v := .ctx.Values -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "dms.fullname" .ctx }}-{{ .component }}
  labels:
    {{- include "dms.labels" . | nindent 4 }}
spec:
  {{- if not .settings.autoscaling.enabled }}
  replicas: {{ .settings.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  selector:
    matchLabels:
      {{- include "dms.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- with .settings.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
        {{- include "dms.labels" . | nindent 8 }}
      annotations:
        checksum/settings: {{ include "dms.madeSecrets" .ctx | sha256sum }}
        {{- with .settings.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "dms.serviceAccountName" .ctx }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      {{- include "dms.pullSecrets" .ctx | nindent 6 }}
      {{- with .settings.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      terminationGracePeriodSeconds: {{ .settings.terminationGracePeriodSeconds }}
      securityContext:
        {{- include "dms.podSecurityContext" (dict "user" $v.podSecurity.runAsUser "group" $v.podSecurity.runAsGroup) | nindent 8 }}
      {{- include "dms.modelsInit" .ctx | nindent 6 }}
      containers:
        - name: {{ .component }}
          image: {{ include "dms.image" (dict "ctx" .ctx "image" $v.image) }}
          imagePullPolicy: {{ $v.image.pullPolicy }}
          env:
            {{- include "dms.environment" (dict "ctx" .ctx "role" .component "concurrency" .settings.concurrency "drainSeconds" .settings.drainSeconds) | nindent 12 }}
          ports:
            - name: http
              containerPort: 3000
            - name: metrics
              containerPort: {{ include "dms.metricsPort" .ctx }}
            {{- if and $v.pipeline.enabled (eq .component "api") }}
            - name: pipeline
              containerPort: {{ $v.pipeline.port }}
            {{- end }}
          {{- include "dms.probes" .ctx | nindent 10 }}
          securityContext:
            {{- include "dms.containerSecurityContext" .ctx | nindent 12 }}
          resources:
            {{- toYaml .settings.resources | nindent 12 }}
          volumeMounts:
            {{- include "dms.mounts" .ctx | nindent 12 }}
      volumes:
        {{- include "dms.volumes" (dict "ctx" .ctx "scratchSize" .settings.scratchSize) | nindent 8 }}
      {{- include "dms.spread" . | nindent 6 }}
      {{- with .settings.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .settings.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .settings.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end -}}
