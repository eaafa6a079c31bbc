import { hashed, hashedRandom } from '../similarity/projection/hashed-random';
import { codeOf, NONE, type OutcomeColumns, type PredictionOutcome } from './outcomes';
import { curvesOf } from './curves';
import { readCurves } from './curves-in-thread';
import { countedConfidences, ranked } from './ranked-outcomes';

interface Prediction {
  readonly label: number;
  readonly outcome: PredictionOutcome;
  readonly confidence: number;
  readonly partner?: number;
}

interface Truth {
  readonly label: number;
  readonly counts: 0 | 1;
}

function columnsOf(truth: readonly Truth[], predictions: readonly Prediction[]): OutcomeColumns {
  return {
    ids: new Uint32Array(1),
    truthFirsts: Int32Array.of(0, truth.length),
    truthLabels: Int32Array.from(truth, ({ label }) => label),
    truthAreas: new Float32Array(truth.length),
    truthCounts: Uint8Array.from(truth, ({ counts }) => counts),
    truthPartners: new Int32Array(truth.length).fill(NONE),
    truthClaims: new Int32Array(truth.length).fill(NONE),
    truthKeys: new Uint32Array(truth.length),
    predictionFirsts: Int32Array.of(0, predictions.length),
    predictionLabels: Int32Array.from(predictions, ({ label }) => label),
    predictionAreas: new Float32Array(predictions.length),
    confidences: Float64Array.from(predictions, ({ confidence }) => confidence),
    outcomes: Uint8Array.from(predictions, ({ outcome }) => codeOf(outcome)),
    partners: Int32Array.from(predictions, ({ partner = NONE }) => partner),
    ious: new Float32Array(predictions.length),
    predictionKeys: new Uint32Array(predictions.length),
  };
}

const LABELS = ['boat', 'buoy'];

describe('the outcomes of predictions by confidence', () => {
  const columns = columnsOf(
    [
      { label: 0, counts: 1 },
      { label: 1, counts: 1 },
      { label: 0, counts: 0 },
    ],
    [
      { label: 0, outcome: 'tp', confidence: 0.7, partner: 0 },
      { label: 0, outcome: 'tp', confidence: 0.6, partner: 1 },
      { label: 1, outcome: 'background', confidence: 0.9 },
      { label: 0, outcome: 'double', confidence: 0.2, partner: 0 },
      { label: 0, outcome: 'ignored', confidence: 1, partner: 2 },
    ],
  );

  it('are hits and mistakes, but for what does not count', async () => {
    expect(ranked(await countedConfidences({ columns, labels: LABELS }))).toEqual({
      hits: Float64Array.of(0.6, 0.7),
      mistakes: Float64Array.of(0.2, 0.9),
      truth: 2,
    });
  });

  it('count a hit for the label of what it found', async () => {
    expect(ranked(await countedConfidences({ columns, labels: LABELS }, 1))).toEqual({
      hits: Float64Array.of(0.6),
      mistakes: Float64Array.of(0.9),
      truth: 1,
    });
  });

  it('have the same curves in a thread, which many have', async () => {
    const predictions = Array.from({ length: 200_001 }, (_, at): Prediction => ({
      label: 0,
      outcome: hashed(1, at) % 7 === 0 ? 'double' : 'tp',
      confidence: hashedRandom(2, at),
      partner: 0,
    }));
    const many = { columns: columnsOf([{ label: 0, counts: 1 }], predictions), labels: LABELS };
    const curves = await readCurves(many, undefined, 0.9);
    expect(curves).toEqual(curvesOf(await countedConfidences(many), 0.9));
    expect(curves.f1[0]!.precision).toBeCloseTo(6 / 7, 2);
  });
});
