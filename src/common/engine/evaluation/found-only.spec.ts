import { randomUUID } from 'node:crypto';
import { outcomesOf, type MadePrediction } from '../../../../test/support/made-outcomes';
import { foundOnlyBy } from './found-only';

const id = randomUUID();
const other = randomUUID();
const finds = (truth: number, confidence: number): MadePrediction => ({
  label: 'cat',
  confidence,
  outcome: 'tp',
  truth,
});
const cats = [{ label: 'cat' }, { label: 'cat' }, { label: 'cat', ignored: true as const }];

/** The pictures are in another order in the second evaluation, which has one more. */
const FIRST = outcomesOf([
  { id, truth: cats, predictions: [finds(0, 0.9), finds(1, 0.3)] },
  { id: other, truth: cats, predictions: [finds(1, 0.8)] },
]);
const SECOND = outcomesOf([
  { id: randomUUID(), truth: cats, predictions: [] },
  { id: other, truth: cats, predictions: [finds(0, 0.8), finds(1, 0.9)] },
  { id, truth: cats, predictions: [finds(1, 0.4)] },
]);

describe('foundOnlyBy', () => {
  it.each([
    [0, 1, 1],
    // At 0.5, the second finds nothing in the first picture.
    [0.5, 1, 1],
    [0.85, 1, 1],
    [0.95, 0, 0],
  ])('counts what one finds and the other does not, at %d', async (confidence, annotations, pictures) => {
    const first = { outcomes: FIRST, cuts: { confidence }, pictures: Int32Array.of(0, 1) };
    const second = { outcomes: SECOND, cuts: { confidence }, pictures: Int32Array.of(2, 1) };
    expect(await foundOnlyBy(first, second)).toEqual({ annotations, pictures });
  });

  it('counts annotations of several pictures, each way', async () => {
    const cuts = { confidence: 0.35 };
    const first = { outcomes: FIRST, cuts, pictures: Int32Array.of(0, 1) };
    const second = { outcomes: SECOND, cuts, pictures: Int32Array.of(2, 1) };
    expect(await foundOnlyBy(first, second)).toEqual({ annotations: 1, pictures: 1 });
    expect(await foundOnlyBy(second, first)).toEqual({ annotations: 2, pictures: 2 });
  });
});
