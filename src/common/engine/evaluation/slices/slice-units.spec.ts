import { codeOf, NONE, type OutcomeColumns } from '../outcomes';
import { FOUND, PREDICTIONS, sliceUnits, TRUTH, unitsOfSides, type SliceUnits } from './slice-units';

const [SMALL, LARGE] = [100, 10_000];

/** Two pictures: in the first, a small 0 is found and a large 1 is not, because a prediction says 0; in the second, a crowd and what lies over it. */
const COLUMNS: OutcomeColumns = {
  ids: new Uint32Array(8),
  truthFirsts: Int32Array.of(0, 2, 3),
  truthLabels: Int32Array.of(0, 1, 0),
  truthAreas: Float32Array.of(SMALL, LARGE, LARGE),
  truthCounts: Uint8Array.of(1, 1, 0),
  truthPartners: Int32Array.of(0, NONE, NONE),
  truthClaims: Int32Array.of(NONE, 1, NONE),
  truthKeys: Uint32Array.of(1, 2, 3),
  predictionFirsts: Int32Array.of(0, 3, 4),
  predictionLabels: Int32Array.of(0, 0, 1, 0),
  // What is right belongs to the size of the truth.
  predictionAreas: Float32Array.of(LARGE, LARGE, NaN, LARGE),
  confidences: Float64Array.of(0.9, 0.8, 0.3, 0.9),
  outcomes: Uint8Array.of(codeOf('tp'), codeOf('wrong_class'), codeOf('background'), codeOf('ignored')),
  partners: Int32Array.of(0, 1, NONE, 2),
  ious: Float32Array.of(0.8, 0.7, 0, 0.9),
  predictionKeys: Uint32Array.of(1, 2, 3, 4),
};
const OUTCOMES = { columns: COLUMNS, labels: ['a', 'b'] };

const rows = ({ firsts, labels, sizes, columns }: SliceUnits): number[][] =>
  Array.from(labels, (label, unit) => [
    firsts.findLastIndex((first) => first <= unit),
    label,
    sizes[unit]!,
    ...columns.map((column) => column[unit]!),
  ]);

describe('sliceUnits', () => {
  it('counts what was found, the truth and the predictions of each label and size of a picture', async () => {
    expect([FOUND, TRUTH, PREDICTIONS]).toEqual([0, 1, 2]);
    expect(rows(await sliceUnits(OUTCOMES, Float64Array.of(0, 0)))).toEqual([
      [0, 0, 0, 1, 1, 1],
      [0, 1, 2, 0, 1, 0],
      [0, 0, 2, 0, 0, 1],
      [0, 1, NONE, 0, 0, 1],
    ]);
  });

  it('does not count predictions below the cut of their label', async () => {
    expect(rows(await sliceUnits(OUTCOMES, Float64Array.of(0.9, 0.4)))).toEqual([
      [0, 0, 0, 1, 1, 1],
      [0, 1, 2, 0, 1, 0],
    ]);
    expect(rows(await sliceUnits(OUTCOMES, Float64Array.of(0.95, 0.95)))).toEqual([
      [0, 0, 0, 0, 1, 0],
      [0, 1, 2, 0, 1, 0],
    ]);
  });

  it('puts evaluations with other pictures and labels side by side', async () => {
    const side = { columns: COLUMNS, labels: Int32Array.of(1, 0), pictures: Int32Array.of(1, 0) };
    const other = { columns: COLUMNS, labels: Int32Array.of(1, 0), pictures: Int32Array.of(0, 1) };
    const units = await unitsOfSides(2, [
      { ...side, cuts: Float64Array.of(0.9, 0.4) },
      { ...other, cuts: Float64Array.of(0.95, 0.95) },
    ]);
    expect(rows(units)).toEqual([
      [0, 1, 0, 0, 0, 0, 0, 1, 0],
      [0, 0, 2, 0, 0, 0, 0, 1, 0],
      [1, 1, 0, 1, 1, 1, 0, 0, 0],
      [1, 0, 2, 0, 1, 0, 0, 0, 0],
    ]);
  });
});
