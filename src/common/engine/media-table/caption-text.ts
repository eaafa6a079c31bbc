import type { MediaRow } from './media-row';

/** All captions of a row in one column, so that one index searches them together. */
export const CAPTION_TEXT_COLUMN = 'caption_text';

/** The column that tables written before have instead. */
export const CAPTION_COLUMN = 'caption';

/** The caption that is shown, exported and compared with texts: one by people comes before one by a model. */
export const shownCaption = ({
  caption,
  generatedCaption,
}: Pick<MediaRow, 'caption' | 'generatedCaption'>): string | null => caption ?? generatedCaption;

export function captionTextOf({ caption, generatedCaption }: MediaRow): string | null {
  if (caption === null || generatedCaption === null) return caption ?? generatedCaption;
  return `${caption}\n${generatedCaption}`;
}
