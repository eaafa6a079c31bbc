import { rectangleAfter } from './map-keys';
import type { Box } from './viewport';

/** The visible part of the map is 0.3 to 0.7. */
const SCENE = { read: () => ({ view: { x: 0.5, y: 0.5, scale: 1_000 }, size: { width: 400, height: 400 } }) };

const after = (rectangle: Box | null, ...keys: readonly string[]): Box | null | undefined =>
  keys.reduce<Box | null | undefined>((current, key) => {
    const shiftKey = key.startsWith('Shift+');
    return rectangleAfter(SCENE, current ?? null, { key: key.replace('Shift+', ''), shiftKey });
  }, rectangle);

const rounded = (box: Box | null | undefined) =>
  box && [box.left, box.top, box.right, box.bottom].map((side) => Number(side.toFixed(4)));

describe('selecting a rectangle with the keyboard', () => {
  it('starts in the middle of the visible part', () => {
    expect(rounded(after(null, 'Shift+ArrowUp'))).toEqual([0.46, 0.46, 0.54, 0.54]);
  });

  it('starts with Shift only', () => {
    expect(after(null, 'ArrowUp')).toBeUndefined();
  });

  it('grows and shrinks with Shift, and moves without', () => {
    expect(rounded(after(null, 'Shift+ArrowUp', 'Shift+ArrowRight', 'Shift+ArrowDown'))).toEqual([
      0.46, 0.46, 0.556, 0.556,
    ]);
    expect(rounded(after(null, 'Shift+ArrowUp', 'Shift+ArrowLeft'))).toEqual([0.46, 0.46, 0.524, 0.54]);
    expect(rounded(after(null, 'Shift+ArrowUp', 'ArrowLeft', 'ArrowUp'))).toEqual([0.444, 0.444, 0.524, 0.524]);
  });

  it('has a minimum size', () => {
    const thin = after(null, ...Array.from({ length: 20 }, () => 'Shift+ArrowLeft'));
    expect(rounded(thin)).toEqual([0.46, 0.46, 0.476, 0.54]);
  });

  it('ignores other keys', () => {
    expect(after({ left: 0, top: 0, right: 1, bottom: 1 }, 'Enter')).toBeUndefined();
  });
});
