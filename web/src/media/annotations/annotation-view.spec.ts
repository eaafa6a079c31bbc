import { ALL, colourOf, shownIn } from './annotation-view';
import type { ShownAnnotation } from './shapes';

const annotation = (part: Partial<ShownAnnotation>): ShownAnnotation => ({
  key: '',
  id: '',
  media_id: 'picture',
  source: 'ground_truth',
  label: 'boat',
  shape: null,
  confidence: null,
  attributes: {},
  crowd: false,
  ignored: false,
  track_id: null,
  area: null,
  version: 1,
  ...part,
});

describe('the shown annotations', () => {
  const object = annotation({});
  const sure = annotation({ source: 'detector-a', confidence: 0.8 });
  const unsure = annotation({ source: 'detector-a', confidence: 0.3 });
  const other = annotation({ source: 'annotator-2' });
  const all = [object, sure, unsure, other];

  it('are those of the sources that are on, with enough confidence if they have one', () => {
    expect(shownIn(all, ALL)).toEqual(all);
    expect(shownIn(all, { ...ALL, least: 0.5 })).toEqual([object, sure, other]);
    expect(shownIn(all, { hidden: new Set(['annotator-2', 'ground_truth']), least: 0.3 })).toEqual([sure, unsure]);
  });

  it('have the colour of their source, or of their track in all sources', () => {
    const sources = ['annotator-2', 'detector-a', 'ground_truth'];
    const colours = [object, sure, other].map((each) => colourOf(each, sources));
    expect(new Set(colours).size).toBe(3);
    const [one, two] = [annotation({ track_id: '7' }), annotation({ track_id: '7', source: 'detector-a' })];
    expect(colourOf(one, sources)).toBe(colourOf(two, sources));
    expect(colourOf(annotation({ track_id: '8' }), sources)).not.toBe(colourOf(one, sources));
  });
});
