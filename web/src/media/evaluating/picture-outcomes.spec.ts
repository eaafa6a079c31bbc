import type { ShownAnnotation } from '../annotations/shapes';
import { comparedOnly, drawingOf, outcomeCounts, outcomeOf } from './picture-outcomes';

const found = {
  truth: [
    { annotation_id: 'a', outcome: 'tp' as const, kind: null, iou: 0.8 },
    { annotation_id: 'b', outcome: 'fn' as const, kind: 'missed' as const, iou: 0 },
  ],
  predictions: [
    { annotation_id: 'a', outcome: 'tp' as const, kind: null, iou: 0.8 },
    { annotation_id: 'c', outcome: 'fp' as const, kind: 'wrong_class' as const, iou: 0.61 },
    { annotation_id: 'd', outcome: 'ignored' as const, kind: null, iou: 0 },
  ],
};

describe('the outcomes of a picture', () => {
  const of = outcomeOf(found, { truth: 'people', predictions: 'model', task: 'detection' });

  it('are said of annotations by their source, also if ids are equal', () => {
    expect(of({ source: 'people', id: 'a' })).toMatchObject({ isDashed: false, text: undefined });
    expect(of({ source: 'model', id: 'a' })).toMatchObject({ isDashed: true, text: 'right, IoU 0.80' });
    expect(of({ source: 'people', id: 'b' })?.text).toBe('missed');
    expect(of({ source: 'model', id: 'c' })?.text).toBe('wrong class, IoU 0.61');
    expect(of({ source: 'other', id: 'a' })).toBeUndefined();
  });

  it('are said as the task measures them', () => {
    const as = (task: 'keypoints' | 'classification') =>
      outcomeOf(found, { truth: 'people', predictions: 'model', task });
    expect(as('keypoints')({ source: 'model', id: 'a' })?.text).toBe('right, OKS 0.80');
    expect(as('classification')({ source: 'people', id: 'a' })?.text).toBe('truth, right');
    expect(as('classification')({ source: 'model', id: 'c' })?.text).toBe('prediction, wrong class');
  });

  it('are not known of what was changed since', () => {
    const ignored = of({ source: 'model', id: 'd' });
    expect(ignored?.text).toBe('not counted');
    expect(of({ source: 'model', id: 'new' })).toEqual({ colour: ignored?.colour, isDashed: true, text: undefined });
    expect(of({ source: 'people', id: 'new' })?.isDashed).toBe(false);
  });

  it('are drawn without other sources', () => {
    const said = (source: string) => ({ source, id: 'a' }) as ShownAnnotation;
    const all = ['people', 'other', 'model'].map(said);
    const lists = { all, shown: all, between: [], sourcesHere: ['model', 'other', 'people'] };
    const compared = comparedOnly(lists, of);
    expect(compared.shown.map(({ source }) => source)).toEqual(['people', 'model']);
    expect(compared.sourcesHere).toEqual(['model', 'people']);
    const { colourOf, colourOfSource } = drawingOf(of);
    expect(colourOf(said('model'))).not.toBe(colourOfSource('model'));
  });

  it('are counted', () => {
    expect(outcomeCounts(found)).toEqual({ tp: 1, fp: 1, fn: 1 });
  });
});
