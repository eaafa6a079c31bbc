import type { Box } from '../../../common/engine/media-table/media-row';
import type { FoundObject } from '../../../common/engine/models/picture-model';
import { acceptedObjects } from './findings';

const SIZE = { width: 200, height: 100 };
const BOX: Box = { x: 0.25, y: 0.25, width: 0.5, height: 0.5 };
const object = (changes: Partial<FoundObject> = {}): FoundObject => ({
  label: 'cat',
  confidence: 0.5,
  box: BOX,
  ...changes,
});
const accepted = (...claimed: FoundObject[]): FoundObject[] => acceptedObjects(claimed, SIZE);

describe('accepted objects', () => {
  it('are the three hundred with the highest confidence', () => {
    const claimed = Array.from({ length: 1_000 }, (_, at) => object({ confidence: (at % 1_000) / 1_000 }));
    const found = accepted(...claimed);
    expect(found).toHaveLength(300);
    expect(found[0]!.confidence).toBe(0.999);
    expect(found.at(-1)!.confidence).toBe(0.7);
  });

  it('are clipped to the picture', () => {
    expect(accepted(object({ box: { x: -0.5, y: 0.75, width: 1, height: 1e9 } }))).toEqual([
      object({ box: { x: 0, y: 0.75, width: 0.5, height: 0.25 } }),
    ]);
  });

  it.each([
    ['beside the picture', { box: { x: 1, y: 0, width: 0.5, height: 0.5 } }],
    ['above it', { box: { x: 0, y: -1, width: 0.5, height: 0.5 } }],
    ['of negative size', { box: { x: 0.5, y: 0.5, width: -0.25, height: 0.25 } }],
    ['without area', { box: { ...BOX, width: 0 } }],
    ['narrower than a pixel', { box: { ...BOX, width: 0.004 } }],
    ['lower than a pixel', { box: { ...BOX, height: 0.009 } }],
    ['that are not numbers', { box: { ...BOX, x: NaN } }],
    ['without end', { box: { ...BOX, height: Infinity } }],
    ['without a visible label', { label: ' \u0000\u200b ' }],
    ['without a confidence', { confidence: NaN }],
  ])('are none %s', (_, changes: Partial<FoundObject>) => {
    expect(accepted(object(changes))).toEqual([]);
  });

  it('have plain labels and confidences in range', () => {
    expect(accepted(object({ label: ` a\n${'b'.repeat(300)}`, confidence: 7 }))).toEqual([
      object({ label: `a ${'b'.repeat(198)}`, confidence: 1 }),
    ]);
  });
});
