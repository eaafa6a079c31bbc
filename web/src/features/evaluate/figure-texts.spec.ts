import {
  changeOf,
  differenceText,
  figureName,
  figureOf,
  figureText,
  mainFigure,
  ordered,
  shownFigures,
} from './figure-texts';

describe('the figures of an evaluation', () => {
  it('are unknown where COCO has -1, but may be negative where they have a sign', () => {
    expect(figureOf({ APs: -1 }, 'APs')).toBeNull();
    expect(figureOf({ kappa: -0.2 }, 'kappa')).toBe(-0.2);
    expect(figureOf(null, 'AP')).toBeNull();
    expect([0.12345, null].map(figureText)).toEqual(['0.123', 'none']);
  });

  it('have names', () => {
    expect(['AP50', 'top_5', 'other'].map(figureName)).toEqual(['AP at IoU 0.5', 'Top 5 accuracy', 'other']);
  });

  it('are compared with those of the last run', () => {
    const metrics = { AP: 0.5, ece: 0.1, APs: -1, confidence: 0.4 };
    const shown = shownFigures({ metrics, previous_metrics: { AP: 0.4, ece: 0.05, APs: 0.3 } });
    expect(shown.map(({ name, change }) => [name, change])).toEqual([
      ['AP', 'better'],
      ['APs', 'same'],
      ['ece', 'worse'],
    ]);
    expect(shownFigures({ metrics, previous_metrics: null })[0]).toMatchObject({ difference: null, change: 'same' });
    expect(changeOf('AP', 0.0001)).toBe('same');
    expect([0.1, -0.1].map(differenceText)).toEqual(['+0.100', '−0.100']);
  });

  it('are in the usual order', () => {
    const names = ['f1', 'other', 'top_5', 'AR1', 'top_1', 'AP50', 'accuracy', 'AP'];
    expect(ordered(names)).toEqual(['AP', 'AP50', 'AR1', 'accuracy', 'top_5', 'top_1', 'f1', 'other']);
  });

  it('have one that stands for them', () => {
    expect(mainFigure({ AP: -1, accuracy: 0.5 })).toBe('accuracy');
    expect(mainFigure(null)).toBeUndefined();
  });
});
