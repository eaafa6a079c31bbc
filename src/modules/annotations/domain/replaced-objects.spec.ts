import type { GivenObject } from './annotation';
import { ReplacedObjects } from './replaced-objects';

const BOX = { x: 0, y: 0, width: 1, height: 1 };
const given = (confidence: number | null): GivenObject => ({ label: 'cat', box: BOX, unit: 'pixels', confidence });
const MARKED = { kind: 'OBJECT', parentId: 'a', generatedLabels: null } as const;
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
    replaced.keep('a');
    expect(replaced.has(MARKED) || replaced.has(PREDICTED)).toBe(false);
  });
});
