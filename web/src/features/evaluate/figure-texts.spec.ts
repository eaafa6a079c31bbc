import {
  changeOf,
  differenceText,
  figureName,
  figureOf,
  figureText,
  mainFigure,
  ordered,
  shownFigures,
  type Measured,
} from './figure-texts';

const OPTIONS: Measured['options'] = {
  ...{ iou: 0.5, confidence: null, class_confidences: {}, max_detections: 100, class_agnostic: false, sigmas: null },
  ...{ voc_points: 'all', hierarchy: [], verified: false, k: [1, 5], labels: null, pictures: 'all' },
};
const measured = (part: Partial<Measured>): Measured => ({
  ...{ task: 'detection', options: OPTIONS, metrics: null, previous_metrics: null },
  ...part,
});

describe('the figures of an evaluation', () => {
  it('are unknown where COCO has -1, but may be negative where they have a sign', () => {
    expect(figureOf({ APs: -1 }, 'APs')).toBeNull();
    expect(figureOf({ kappa: -0.2 }, 'kappa')).toBe(-0.2);
    expect(figureOf(null, 'AP')).toBeNull();
    expect([0.12345, null].map(figureText)).toEqual(['0.123', 'none']);
  });

  it('have names', () => {
    const names = ['AP50', 'top_5', 'other'].map((name) => figureName(name));
    expect(names).toEqual(['AP at IoU 0.5', 'Top 5 accuracy', 'other']);
    expect(figureName('AP50', 'keypoints')).toBe('AP at OKS 0.5');
  });

  it('are compared with those of the last run', () => {
    const metrics = { AP: 0.5, ece: 0.1, APs: -1, confidence: 0.4 };
    const shown = shownFigures(measured({ metrics, previous_metrics: { AP: 0.4, ece: 0.05, APs: 0.3 } }), true);
    expect(shown.map(({ key, change }) => [key, change])).toEqual([
      ['AP', 'better'],
      ['APs', 'same'],
      ['ece', 'worse'],
    ]);
    expect(shownFigures(measured({ metrics }), true)[0]).toMatchObject({ difference: null, change: 'same' });
    expect(changeOf('AP', 0.0001)).toBe('same');
    expect([0.1, -0.1].map(differenceText)).toEqual(['+0.100', '−0.100']);
  });

  it('are in the usual order', () => {
    const names = ['f1', 'other', 'top_5', 'AR1', 'top_1', 'AP50', 'accuracy', 'AP'];
    expect(ordered(names)).toEqual(['AP', 'AP50', 'AR1', 'accuracy', 'top_5', 'top_1', 'f1', 'other']);
  });

  it('have one that stands for them', () => {
    const several = measured({ task: 'classification', metrics: { AP: -1, accuracy: 0.5 } });
    expect(mainFigure(several)).toEqual({ name: 'All labels right', value: 0.5 });
    expect(mainFigure(measured({ metrics: { mAP: 0.3 } }))?.name).toBe('mAP at IoU 0.50');
    expect(mainFigure(measured({ metrics: null }))).toBeUndefined();
  });

  it('are those of the task', () => {
    const metrics = { accuracy: 1, balanced_accuracy: 1, top_5: 1, ece: 0.2, f1: 1, AP: 1, confidence: 0.4 };
    const names = (part: Partial<Measured>, hasConfidences: boolean) =>
      shownFigures(measured({ metrics, ...part }), hasConfidences).map(({ name }) => name);
    expect(names({ task: 'detection' }, true)).not.toContain('F1');
    expect(names({ task: 'classification' }, true)).toEqual(
      expect.arrayContaining(['Accuracy', 'Mean F1', 'Top 5 accuracy', 'Calibration error']),
    );
    expect(names({ task: 'classification' }, false)).toEqual(['AP', 'Accuracy', 'Balanced accuracy', 'Mean F1']);
  });
});
