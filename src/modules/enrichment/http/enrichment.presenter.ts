import type { z } from 'zod';
import type { PreviewedMedia, PreviewedResult } from '../preview-enrichment.service';
import type { previewsResponse } from './enrichment.schemas';

type PresentedPreview = z.infer<typeof previewsResponse>['previews'][number];

export const presentPreview = ({ row, thumbnail, results }: PreviewedMedia): PresentedPreview => ({
  media_id: row.id,
  file_name: row.fileName,
  media_thumb_uri: thumbnail,
  results: Object.fromEntries(results.map((each) => [each.model.type, presentResult(each)])),
});

function presentResult({ model, result }: PreviewedResult): PresentedPreview['results'][string] {
  if (result.kind === 'QUARANTINED') return { model_id: model.id, error: result.detail };
  const { found } = result;
  return {
    model_id: model.id,
    ...('caption' in found ? { caption: found.caption } : {}),
    ...('labels' in found ? { labels: [...found.labels] } : {}),
  };
}
