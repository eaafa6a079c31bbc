import type { FoundLabel, PictureFindings, PictureModelType } from '../common/engine/models/picture-model';

const MAX_LISTED = 8;

/** The finding of a model in a picture, in one line. */
export function describeFinding(type: PictureModelType, found: PictureFindings[PictureModelType]): string {
  if ('caption' in found) return found.caption;
  if ('labels' in found) return listed(found.labels);
  if ('objects' in found) return listed(found.objects);
  if ('embedding' in found) return `a vector of ${found.embedding.length} numbers`;
  throw new Error(`Unknown result of ${type}`);
}

function listed(labels: readonly FoundLabel[]): string {
  if (labels.length === 0) return 'nothing';
  const shown = labels.slice(0, MAX_LISTED).map(({ label, confidence }) => `${label} ${confidence.toFixed(2)}`);
  return labels.length > MAX_LISTED ? `${shown.join(', ')} and ${labels.length - MAX_LISTED} more` : shown.join(', ');
}
