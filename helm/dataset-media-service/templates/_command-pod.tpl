{{- /* The pod of a command beside the service. Arguments: ctx, name, made (the Secret with made values), args, resources, claim (a volume at /backup, or none). */ -}}
{{- define "dms.commandPod" -}}
{{- $v := .ctx.Values -}}
restartPolicy: Never
serviceAccountName: {{ include "dms.serviceAccountName" .ctx }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- include "dms.pullSecrets" .ctx }}
securityContext:
  {{- include "dms.podSecurityContext" (dict "user" $v.podSecurity.runAsUser "group" $v.podSecurity.runAsGroup) | nindent 2 }}
containers:
  - name: {{ .name }}
    image: {{ include "dms.image" (dict "ctx" .ctx "image" $v.image) }}
    imagePullPolicy: {{ $v.image.pullPolicy }}
    args:
      {{- toYaml .args | nindent 6 }}
    env:
      {{- include "dms.environment" (dict "ctx" .ctx "role" "worker" "made" .made) | nindent 6 }}
    securityContext:
      {{- include "dms.containerSecurityContext" .ctx | nindent 6 }}
    resources:
      {{- toYaml .resources | nindent 6 }}
    volumeMounts:
      - name: data
        mountPath: /data
      - name: tmp
        mountPath: /tmp
      {{- if .claim }}
      - name: backup
        mountPath: /backup
      {{- end }}
      {{- if $v.trustedCertificates.existingConfigMap }}
      - name: certificates
        mountPath: /etc/dataset-media-service/certificates
        readOnly: true
      {{- end }}
volumes:
  - name: data
    emptyDir:
      sizeLimit: 1Gi
  - name: tmp
    emptyDir:
      sizeLimit: 1Gi
  {{- with .claim }}
  - name: backup
    persistentVolumeClaim:
      claimName: {{ . }}
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
