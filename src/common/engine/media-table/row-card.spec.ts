import { mediaRow } from '../../../../test/support/media-rows';
import { readCard, writeCard, type Card } from './row-card';

/** The card of the first release. Tables are never rewritten, so it must stay readable. */
const FIRST_CARD =
  '["5f0c","9a1b","clip.mp4#2.5","train/clip.mp4","store:media/clip.mp4",640,480,"thumbnails/5f0c.webp",' +
  '{"x":0.25,"y":0.5,"width":0.125,"height":0.25},2.5,"a \\"dog\\""]';

const EXPECTED: Card = {
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
  generatedCaption: null,
};

it('reads a card of the first release, with a value for every field', () => {
  const card = readCard(FIRST_CARD);
  expect(card).toMatchObject(EXPECTED);
  expect(Object.values(card)).not.toContain(undefined);
});

it('reads what it writes', () => {
  const row = mediaRow(3, { ...EXPECTED, caption: null, generatedCaption: 'a small dog' });
  expect(row).toMatchObject(readCard(writeCard(row)));
});
