import type { z } from 'zod';
import type { CaptionedObject, PreviewedMedia, PreviewedResult } from '../preview-enrichment.service';
import type { Findings, FoundIn } from '../findings.reader';
import type { findingsResponse, previewsResponse } from './enrichment.schemas';

type PresentedPreview = z.infer<typeof previewsResponse>['previews'][number];

export const presentPreview = ({ row, thumbnail, results }: PreviewedMedia): PresentedPreview => ({
  media_id: row.id,
  file_name: row.fileName,
  media_thumb_uri: thumbnail,
  results: Object.fromEntries(results.map((each) => [each.model.type, presentResult(each)])),
});

function presentResult(previewed: PreviewedResult): PresentedPreview['results'][string] {
  const { id } = previewed.model;
  if ('captioned' in previewed) return { model_id: id, objects: previewed.captioned.map(presentCaptioned) };
  const { result } = previewed;
  if (result.kind === 'QUARANTINED') return { model_id: id, error: result.detail };
  const { found } = result;
  return {
    model_id: id,
    ...('caption' in found ? { caption: found.caption } : {}),
    ...('labels' in found ? { labels: [...found.labels] } : {}),
    ...('objects' in found
      ? { objects: found.objects.map(({ label, confidence, box }) => ({ label, bounding_box: box, confidence })) }
      : {}),
    ...('embedding' in found ? { dimension: found.embedding.length } : {}),
  };
}

function presentCaptioned({ label, box, result }: CaptionedObject) {
  const object = { label, bounding_box: box };
  if (result.kind === 'QUARANTINED') return { ...object, error: result.detail };
  return 'caption' in result.found ? { ...object, caption: result.found.caption } : object;
}

type PresentedFindings = Omit<z.infer<typeof findingsResponse>, 'limit' | 'offset'>;

const presentFoundIn = ({ model, count, ids }: FoundIn) => ({ model_id: model, count, media_ids: [...ids] });

export const presentFindings = ({ media, captions, labels, objects }: Findings): PresentedFindings => ({
  n_media: media,
  captions: presentFoundIn(captions),
  labels: presentFoundIn(labels),
  objects: { ...presentFoundIn(objects), n_objects: objects.objects },
});
