import { ALL, colourOf, isDark, shownIn } from './annotation-view';
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

const NO_COLOURS = new Map<string, string>();

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
    const colours = [object, sure, other].map((each) => colourOf(each, sources, NO_COLOURS));
    expect(new Set(colours).size).toBe(3);
    const [one, two] = [annotation({ track_id: '7' }), annotation({ track_id: '7', source: 'detector-a' })];
    expect(colourOf(one, sources, NO_COLOURS)).toBe(colourOf(two, sources, NO_COLOURS));
    expect(colourOf(annotation({ track_id: '8' }), sources, NO_COLOURS)).not.toBe(colourOf(one, sources, NO_COLOURS));
  });

  it('have the colour of the label set if people gave the label', () => {
    const colours = new Map([['boat', '#1f77b4']]);
    expect(colourOf(object, [], colours)).toBe('#1f77b4');
    for (const other of [annotation({ label: 'buoy' }), sure, annotation({ track_id: '7' })])
      expect(colourOf(other, [], colours)).toBe(colourOf(other, [], NO_COLOURS));
  });

  it('have labels that are read on their colour', () => {
    expect(['#000000', '#1f3a93', '#b00020'].map(isDark)).toEqual([true, true, true]);
    expect(['#ffffff', '#ffd60a', '#7f7f7f', 'var(--on-picture-1)'].map(isDark)).toEqual([false, false, false, false]);
  });
});
