import { evaluatePictures, type GivenAnnotation } from '../../../../test/support/evaluate-pictures';
import { cohenKappa } from './agreement';
import { planOf } from './plan';

/** Of the package krippendorff. */
const ALPHA = 0.181818181818;

const box = (label: string, left: number): GivenAnnotation => ({ label, box: [left, 0, 40, 40] });

describe('the agreement of two annotators', () => {
  it('is about what both of them marked, and what one of them did', () => {
    const picture = {
      truth: [box('boat', 0), box('boat', 100), box('buoy', 200), box('buoy', 300)],
      predictions: [box('boat', 0), box('boat', 100), box('boat', 200), box('gull', 500)],
    };
    const { metrics } = evaluatePictures(planOf('detection', 'voc'), [picture]);
    const pairs = [
      { first: 'boat', second: 'boat', items: 2 },
      { first: 'buoy', second: 'boat', items: 1 },
      { first: 'buoy', second: 'nothing', items: 1 },
      { first: 'nothing', second: 'gull', items: 1 },
    ];
    expect(metrics['kappa']).toBeCloseTo(cohenKappa(pairs)!, 12);
    expect(metrics['alpha']).toBeCloseTo(ALPHA, 12);
  });

  it('is perfect if both say the same', () => {
    const said = [box('boat', 0), box('buoy', 100)];
    const { metrics } = evaluatePictures(planOf('detection', 'coco'), [{ truth: said, predictions: said }]);
    expect(metrics).toMatchObject({ kappa: 1, alpha: 1 });
  });

  it('is not asked of predictions with confidences', () => {
    const predictions = [{ ...box('boat', 0), confidence: 0.9 }];
    const { metrics } = evaluatePictures(planOf('detection', 'voc'), [{ truth: [box('boat', 0)], predictions }]);
    expect(metrics).not.toHaveProperty('kappa');
    expect(metrics).not.toHaveProperty('alpha');
  });
});
