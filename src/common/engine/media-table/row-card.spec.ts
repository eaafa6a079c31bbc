import { mediaRow } from '../../../../test/support/media-rows';
import { readCard, writeCard, type Card } from './row-card';

/** As the first tables have it, and tables stay as they were written. */
const FIRST_CARD =
  '["5f0c","9a1b","clip.mp4#2.5","train/clip.mp4","store:media/clip.mp4",640,480,"thumbnails/5f0c.webp",' +
  '{"x":0.25,"y":0.5,"width":0.125,"height":0.25},2.5,"a \\"dog\\""]';

const WHAT_IT_SAYS: Card = {
  id: '5f0c',
  parentId: '9a1b',
  fileName: 'clip.mp4#2.5',
  path: 'train/clip.mp4',
  source: 'store:media/clip.mp4',
  width: 640,
  height: 480,
  thumbnailKey: 'thumbnails/5f0c.webp',
  box: { x: 0.25, y: 0.5, width: 0.125, height: 0.25 },
  frameTimestamp: 2.5,
  caption: 'a "dog"',
};

it('reads a card of the first tables, with a value for every field', () => {
  const card = readCard(FIRST_CARD);
  expect(card).toMatchObject(WHAT_IT_SAYS);
  expect(Object.values(card)).not.toContain(undefined);
});

it('reads what it writes', () => {
  const row = mediaRow(3, { ...WHAT_IT_SAYS, caption: null });
  expect(row).toMatchObject(readCard(writeCard(row)));
});
