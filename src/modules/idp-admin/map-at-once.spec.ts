import { mapAtOnce } from './map-at-once';

describe('mapping so many at a time', () => {
  it('answers in order, and never works at more', async () => {
    let [working, most] = [0, 0];
    const doubled = await mapAtOnce(3, [5, 1, 4, 2, 3, 0], async (turns) => {
      working += 1;
      most = Math.max(most, working);
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      working -= 1;
      return turns * 2;
    });
    expect(doubled).toEqual([10, 2, 8, 4, 6, 0]);
    expect(most).toBe(3);
    expect(await mapAtOnce(3, [], () => Promise.resolve(1))).toEqual([]);
  });

  it('begins no more after a failure', async () => {
    const begun: number[] = [];
    const mapping = mapAtOnce(2, [0, 1, 2, 3, 4, 5], (item) => {
      begun.push(item);
      return item === 1 ? Promise.reject(new Error('broken')) : Promise.resolve(item);
    });
    await expect(mapping).rejects.toThrow('broken');
    expect(begun.length).toBeLessThan(5);
  });
});
