{{- /* What a release is made of, for the guard of its next upgrade. */ -}}
{{- define "dms.record" -}}
name: {{ include "dms.fullname" . }}
version: {{ .Chart.Version | quote }}
database: {{ ternary "quickstart" "external" .Values.quickstart.postgres.enabled }}
storage: {{ include "dms.storageUrl" . | quote }}
{{- with .Values.secretKey }}
secretKey: {{ ternary "generated" (default "value" .existingSecret) .generate }}
{{- end }}
{{- end -}}

{{- define "dms.upgradeGuard" -}}
{{- if .Release.IsUpgrade -}}
{{- range (lookup "v1" "ConfigMap" .Release.Namespace "").items -}}
{{- $labels := default dict .metadata.labels -}}
{{- if and (eq (default "" (get $labels "app.kubernetes.io/instance")) $.Release.Name) (eq (default "" (get $labels "app.kubernetes.io/component")) "release-record") -}}
{{- include "dms.compareRecords" (dict "ctx" $ "before" .data "now" (include "dms.record" $ | fromYaml)) -}}
{{- end -}}
{{- end -}}
{{- include "dms.requireKept" (dict "ctx" . "enabled" .Values.secretKey.generate "what" "secret-key") -}}
{{- include "dms.requireKept" (dict "ctx" . "enabled" (or .Values.quickstart.postgres.enabled .Values.quickstart.s3.enabled) "what" "quickstart") -}}
{{- end -}}
{{- end -}}

{{- define "dms.compareRecords" -}}
{{- $accepted := .ctx.Values.upgradeGuard.accept -}}
{{- $before := .before -}}
{{- $now := .now -}}
{{- if and (semverCompare (printf "< %s-0" ($before.version | splitList "-" | first)) $now.version) (not (has "downgrade" $accepted)) -}}
{{- fail (printf "This upgrade was refused: it is a downgrade from %s to %s, and migrations of the database only go forward. Use version %s or newer, or restore a backup from before %s and add \"downgrade\" to upgradeGuard.accept." $before.version $now.version $before.version $before.version) -}}
{{- end -}}
{{- $lost := dict
  "name" "the release would get new objects, and its volumes and secrets stay with the old ones. Keep nameOverride and fullnameOverride"
  "database" "the datasets in the database before are not in the new one. Move them first (docs/backup.md)"
  "storage" "the media in the store before are not in the new one. Copy them first (docs/backup.md)"
  "secretKey" "what was sealed with another key cannot be read. Put the same key into the new place, or rotate it (npm run rotate-secret-key)"
-}}
{{- range $what, $reason := $lost -}}
{{- if and (ne (get $before $what) (get $now $what)) (not (has $what $accepted)) -}}
{{- fail (printf "This upgrade was refused: it changes the %s from \"%s\" to \"%s\", and %s; then add \"%s\" to upgradeGuard.accept for one upgrade." $what (get $before $what) (get $now $what) $reason $what) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* Only where the cluster can be asked: its own namespace is always there. */ -}}
{{- define "dms.requireKept" -}}
{{- $name := printf "%s-%s" (include "dms.fullname" .ctx) .what -}}
{{- $namespace := .ctx.Release.Namespace -}}
{{- if and .enabled (lookup "v1" "Namespace" "" $namespace) (not (lookup "v1" "Secret" $namespace $name)) -}}
{{- if not (has (ternary "secretKey" "database" (eq .what "secret-key")) .ctx.Values.upgradeGuard.accept) -}}
{{- fail (printf "This upgrade was refused: the Secret %s of this release is gone, and a new one would not open what the old one did. Restore it from your backup." $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
