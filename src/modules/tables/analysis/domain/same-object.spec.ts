import { isMarked } from './same-object';

const BOX = { x: 0.25, y: 0.25, width: 0.5, height: 0.5 };

describe('an object marked by a person', () => {
  const found = { box: BOX, labels: ['cat'] };

  it('is the same as one with nearly the same box and the same label', () => {
    expect(isMarked(found, [{ box: { ...BOX, width: 0.47 }, labels: ['pet', 'cat'] }])).toBe(true);
  });

  it('differs from one with a different label, a different box or none', () => {
    expect(isMarked(found, [{ box: BOX, labels: ['dog'] }])).toBe(false);
    expect(isMarked(found, [{ box: BOX, labels: [] }])).toBe(false);
    expect(isMarked(found, [{ box: { ...BOX, width: 0.44 }, labels: ['cat'] }])).toBe(false);
    expect(isMarked(found, [{ box: { ...BOX, x: 0.75, width: 0.25 }, labels: ['cat'] }])).toBe(false);
    expect(isMarked(found, [{ box: null, labels: ['cat'] }])).toBe(false);
    expect(isMarked(found, [])).toBe(false);
  });
});
