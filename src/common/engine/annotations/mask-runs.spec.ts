import { Random } from '../../../../test/support/random';
import { coveredBy, runsOf, textOfRuns } from './mask-runs';

describe('runs of a mask', () => {
  it('have the text that pycocotools writes', () => {
    expect(textOfRuns([3, 4, 5, 1, 7])).toBe('345M2');
  });

  it('are the same when they are read again', () => {
    const random = new Random(7);
    for (let round = 0; round < 300; round++) {
      const runs = Array.from({ length: 1 + Math.floor(random.between(0, 20)) }, (_, at) =>
        at === 0 ? Math.floor(random.between(0, 5)) : Math.floor(random.between(1, 10 ** random.between(0, 7))),
      );
      const pixels = runs.reduce((sum, run) => sum + run, 0);
      expect(runsOf({ width: pixels, height: 1, counts: textOfRuns(runs) })).toEqual(runs);
    }
  });

  it('are refused that do not fill the picture, end too early or have other characters', () => {
    const counts = textOfRuns([1, 2, 3]);
    expect(runsOf({ width: 7, height: 1, counts })).toBeUndefined();
    expect(runsOf({ width: 6, height: 1, counts: `${counts}P` })).toBeUndefined();
    expect(runsOf({ width: 6, height: 1, counts: 'é' })).toBeUndefined();
    expect(runsOf({ width: 6, height: 1, counts: 'oooooooooooo0' })).toBeUndefined();
    expect(coveredBy([1, 2, 3])).toBe(2);
  });
});
