import type { Box, MediaRow } from '../../../common/engine/media-table/media-row';
import type { FoundObject } from '../../../common/engine/models/picture-model';
import { plainText } from '../../../common/platform/text/texts';

const MOST_OBJECTS = 300;
const MAX_LABEL = 200;

type PictureSize = Pick<MediaRow, 'width' | 'height'>;

/** The surest objects of a detector that are in the picture and at least a pixel large. */
export function acceptedObjects(claimed: readonly FoundObject[], size: PictureSize): FoundObject[] {
  const accepted = claimed.flatMap(({ label, confidence, box }): FoundObject[] => {
    const text = plainText(label, MAX_LABEL);
    const clipped = inPicture(box, size);
    if (text === '' || Number.isNaN(confidence) || clipped === undefined) return [];
    return [{ label: text, confidence: fraction(confidence), box: clipped }];
  });
  return accepted.sort((a, b) => b.confidence - a.confidence).slice(0, MOST_OBJECTS);
}

function inPicture(box: Box, { width, height }: PictureSize): Box | undefined {
  const { x, y, width: across, height: down } = box;
  if (![x, y, across, down].every(Number.isFinite)) return undefined;
  const [left, top] = [fraction(x), fraction(y)];
  const clipped = { x: left, y: top, width: fraction(x + across) - left, height: fraction(y + down) - top };
  return clipped.width * width >= 1 && clipped.height * height >= 1 ? clipped : undefined;
}

const fraction = (value: number): number => Math.min(Math.max(value, 0), 1);
