import type { GivenObject } from './annotation';
import { newObjects, ReplacedObjects } from './replaced-objects';

const BOX = { x: 0, y: 0, width: 1, height: 1 };
const given = (confidence: number | null): GivenObject => ({ label: 'cat', box: BOX, unit: 'pixels', confidence });
const MARKED = { id: 'b', kind: 'OBJECT', parentId: 'a', generatedLabels: null, objectSource: null } as const;
const PREDICTED = { ...MARKED, generatedLabels: [{ label: 'cat', confidence: 0.5, given: false }] } as const;

describe('replaced objects', () => {
  it.each([
    ['marked', [given(null)], true, false],
    ['predicted', [given(0.5)], false, true],
    ['both', [given(null), given(0)], true, true],
    ['none', [], true, false],
  ] as const)('of a picture with %s', (_, objects, marked, predicted) => {
    const replaced = new ReplacedObjects();
    replaced.replace('a', objects);
    expect([replaced.has(MARKED), replaced.has(PREDICTED)]).toEqual([marked, predicted]);
    expect(replaced.has({ ...MARKED, parentId: 'b' })).toBe(false);
    expect(replaced.has({ ...MARKED, kind: 'FRAME' })).toBe(false);
    expect(replaced.has({ ...MARKED, objectSource: 'detector-a' })).toBe(false);
    replaced.keep('a');
    expect(replaced.has(MARKED) || replaced.has(PREDICTED)).toBe(false);
  });
});

describe('new objects of a picture', () => {
  const SIZE = { width: 160, height: 120 };
  const PIXELS = { x: 100 / 3, y: 0.1 + 0.2, width: 50.1, height: 60 };
  const FRACTIONS = { x: PIXELS.x / 160, y: PIXELS.y / 120, width: PIXELS.width / 160, height: PIXELS.height / 120 };
  const marked = { box: FRACTIONS, labels: ['cat'], generatedLabels: null };
  const predicted = { ...marked, generatedLabels: [{ label: 'cat', confidence: 0.5, given: false }] };
  const of = (confidence: number | null, label = 'cat'): GivenObject => ({
    ...{ label, box: PIXELS, unit: 'pixels', confidence },
  });

  it('are none that people marked before', () => {
    expect(newObjects([of(null)], SIZE, { objects: [marked], matched: [] })).toEqual({ objects: [], matched: [] });
    expect(newObjects([of(null)], SIZE, { objects: [predicted], matched: [] }).objects).toHaveLength(1);
  });

  it('keep a prediction of a known object to the last digit, and once', () => {
    const { objects, matched } = newObjects([of(1 / 3), of(0.5), of(null), of(0.5), of(0.25, 'dog')], SIZE);
    expect(objects.map(({ label, confidence }) => [label, confidence])).toEqual([
      ['cat', null],
      ['dog', 0.25],
    ]);
    const { x, y, width, height } = PIXELS;
    const box = [x, y, width, height];
    expect(matched).toEqual([
      { id: expect.any(String) as unknown, label: 'cat', confidence: 1 / 3, box },
      { id: expect.any(String) as unknown, label: 'cat', confidence: 0.5, box },
    ]);
    const again = newObjects([of(1 / 3), of(0.5)], SIZE, { objects: [marked], matched });
    expect(again).toEqual({ objects: [], matched: [] });
  });

  it('are no predictions that a row has already', () => {
    const known = { objects: [predicted], matched: [] };
    expect(newObjects([of(0.5)], SIZE, known)).toEqual({ objects: [], matched: [] });
    expect(newObjects([of(0.6)], SIZE, known)).toMatchObject({ objects: [], matched: [{ confidence: 0.6 }] });
    const outside = { ...of(0.5), box: { ...PIXELS, x: -10, width: 1000 } };
    const clipped = { ...predicted, box: { ...FRACTIONS, x: 0, width: 1 } };
    expect(newObjects([outside], SIZE, { objects: [clipped], matched: [] })).toEqual({ objects: [], matched: [] });
  });
});
