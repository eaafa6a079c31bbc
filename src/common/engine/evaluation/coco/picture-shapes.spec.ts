import type { Annotation } from '../../annotations/annotation';
import { textOfRuns } from '../../annotations/mask-runs';
import { RunOverlaps } from '../overlap/run-overlaps';
import { PictureShapes } from './picture-shapes';

const SIDE = 2_000;

describe('the shapes of a picture', () => {
  it('are refused if they are too long to be kept together', () => {
    const dots = { width: SIDE, height: SIDE, counts: textOfRuns(new Array<number>(SIDE ** 2).fill(1)) };
    const mask = (_: unknown, at: number): Annotation => ({ id: String(at), label: 'cat', version: 1, mask: dots });
    const made = (count: number): PictureShapes =>
      new PictureShapes(new RunOverlaps(), { width: SIDE, height: SIDE }, [], Array.from({ length: count }, mask));
    expect(made(1).predictionAreas[0]).toBe(SIDE ** 2 / 2);
    expect(() => made(9)).toThrow('The annotations are too large together');
  });
});
