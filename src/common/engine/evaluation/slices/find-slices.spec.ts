import { plantedSlice, type PlantedSlice } from '../../../../../test/support/planted-slice';
import { findSlices, type FoundSlices } from './find-slices';
import { FOUND, sliceUnits } from './slice-units';
import { slicesInThread } from './slices-in-thread';

const PICTURES = 5000;

const unitsOf = ({ outcomes }: PlantedSlice) => sliceUnits(outcomes, new Float64Array(outcomes.labels.length));

async function slicesOf(study: PlantedSlice): Promise<FoundSlices> {
  return findSlices(await unitsOf(study), study.conditions, 1);
}

describe('findSlices', () => {
  it('finds a planted slice of three conditions, and does not list what is only worse because it contains it', async () => {
    const study = plantedSlice(PICTURES, 0, true);
    const { figure, slices } = await slicesOf(study);
    const found = slices.filter(({ isFound }) => isFound);
    expect(found.map(({ conditions }) => conditions)).toEqual([study.planted]);
    const [{ figure: own, rest, interval, pictures, chance }] = found as [(typeof found)[number]];
    expect(pictures).toBeGreaterThan(20);
    expect(own).toBeLessThan(figure);
    expect(interval![0]).toBeLessThan(own - rest);
    expect(interval![1]).toBeGreaterThan(own - rest);
    expect(interval![1]).toBeLessThan(0);
    expect(chance).toBeLessThan(1e-4);
  });

  it('finds nothing where nothing is planted, and lists every condition with its interval', async () => {
    const study = plantedSlice(PICTURES, 0, false);
    const { slices } = await slicesOf(study);
    expect(slices.filter(({ isFound }) => isFound)).toEqual([]);
    expect(slices.map(({ conditions }) => conditions.join()).sort()).toEqual(
      Array.from(study.conditions.subjects.keys(), String).sort(),
    );
    expect(slices.every(({ interval }) => interval![0] < interval![1])).toBe(true);
    const uppers = slices.map(({ interval }) => interval![1]);
    expect(uppers[0]).toBeLessThan(uppers.at(-1)!);
  });

  it('finds what only two conditions make worse, also where all pictures are alike', () => {
    // Each picture has an object of each of two labels, of which that of its half is found.
    const pictures = 60;
    const firsts = Int32Array.from({ length: pictures + 1 }, (_, at) => 2 * at);
    const labels = Int32Array.from({ length: 2 * pictures }, (_, unit) => unit % 2);
    const found = labels.map((label, unit) => Number(label === (unit < pictures ? 0 : 1)));
    const ones = labels.map(() => 1);
    const units = { firsts, labels, sizes: labels.map(() => -1), columns: [found, ones, found] };
    // Its half, and what all pictures are.
    const held = Int32Array.from({ length: 2 * pictures }, (_, at) => (at % 2 === 1 ? 2 : at < pictures ? 0 : 1));
    const conditions = {
      subjects: Int32Array.of(0, 0, 1, 2, 2),
      firsts,
      held,
      ofLabels: Int32Array.of(3, 4),
      ofSizes: Int32Array.of(-1, -1, -1),
    };
    const { slices } = findSlices(units, conditions, 1);
    expect(slices.filter(({ isFound }) => isFound).map(({ conditions: of }) => of)).toEqual([
      [0, 4],
      [1, 3],
    ]);
    expect(slices.every(({ chance }) => chance >= 0 && chance <= 1)).toBe(true);
  });

  it('finds the same in a thread', async () => {
    const study = plantedSlice(500, 4, true);
    expect(await slicesInThread(await unitsOf(study), study.conditions)).toEqual(await slicesOf(study));
  });

  it('says nothing of the rest of a slice that is everything', async () => {
    const study = plantedSlice(30, 1, false);
    const subjects = Int32Array.of(0);
    const held = new Int32Array(30);
    const firsts = Int32Array.from({ length: 31 }, (_, at) => at);
    const none = { ofLabels: new Int32Array(10).fill(-1), ofSizes: new Int32Array(3).fill(-1) };
    const { figure, slices } = findSlices(await unitsOf(study), { subjects, held, firsts, ...none }, 1);
    expect(slices).toEqual([
      expect.objectContaining({
        conditions: [0],
        isFound: false,
        pictures: 30,
        figure,
        rest: NaN,
        interval: undefined,
      }),
    ]);
  });

  it('finds a few pictures in which everything is missed, but not fewer', async () => {
    const study = plantedSlice(PICTURES, 0, false);
    for (const [few, isFound] of [
      [12, true],
      [9, false],
    ] as const) {
      const { columns, ...units } = await unitsOf(study);
      columns[FOUND]!.fill(0, 0, units.firsts[few]);
      const { firsts, held, subjects, ...objects } = study.conditions;
      const number = subjects.length;
      const lists = Array.from({ length: PICTURES }, (_, picture) => [
        ...held.subarray(firsts[picture], firsts[picture + 1]),
        ...(picture < few ? [number] : []),
      ]);
      const conditions = {
        ...objects,
        subjects: Int32Array.of(...subjects, subjects.at(-1)! + 1),
        held: Int32Array.from(lists.flat()),
        firsts: firsts.map((first, picture) => first + Math.min(picture, few)),
      };
      const { slices } = findSlices({ ...units, columns }, conditions, 1);
      const found = slices.filter((slice) => slice.isFound && slice.conditions.join() === String(number));
      expect([few, found.length]).toEqual([few, isFound ? 1 : 0]);
    }
  });

  it('finds nothing in no pictures', () => {
    const empty = new Int32Array();
    const firsts = Int32Array.of(0);
    const units = { firsts, labels: empty, sizes: empty, columns: [empty, empty, empty] };
    const conditions = {
      subjects: Int32Array.of(0),
      firsts,
      held: empty,
      ofLabels: empty,
      ofSizes: Int32Array.of(-1, -1, -1),
    };
    expect(findSlices(units, conditions, 1)).toEqual({ figure: NaN, slices: [] });
  });
});
