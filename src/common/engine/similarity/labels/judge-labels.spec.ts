import fc from 'fast-check';
import { Random } from '../../../../../test/support/random';
import { labelIssuesOfVectors, structureOfVectors } from '../../../../../test/support/structures';
import type { LabelIssues } from './judge-labels';
import { LabelListsBuilder } from './label-lists';

const LADDER = [0.9, 0.8, 0.7, 0.6, 0.5] as const;
const DIMENSION = 24;

interface Item {
  readonly vector: readonly number[];
  readonly labels: readonly string[];
  /** Items with the same content are copies. */
  readonly content?: number;
}
type Judged = LabelIssues & { readonly suggestion: readonly (string | undefined)[] };

function inputOf(items: readonly Item[]) {
  const vectors = new Float32Array(new SharedArrayBuffer(items.length * DIMENSION * 4));
  const labels = new LabelListsBuilder(items.length);
  items.forEach(({ vector, labels: own }, item) => {
    const length = Math.hypot(...vector);
    vectors.set(
      vector.map((value) => value / length),
      item * DIMENSION,
    );
    labels.add(own);
  });
  const contentGroup = Int32Array.from(items, ({ content }, item) => content ?? items.length + item);
  const { lists, names } = labels.build();
  const input = { count: items.length, dimension: DIMENSION, vectors, contentGroup, ladder: LADDER, threads: 1 };
  return { input: { ...input, labels: lists }, names };
}

async function judge(items: readonly Item[]): Promise<Judged> {
  const { input, names } = inputOf(items);
  const issues = await labelIssuesOfVectors(input);
  return { ...issues, suggestion: Array.from(issues.suggested, (number) => names[number]) };
}

/** A class is a direction; items of one class have a cosine of about 0.7. */
function looking(like: number, random: Random, spread = 0.13): number[] {
  return Array.from({ length: DIMENSION }, (_, at) => (at === like ? 1 : 0) + random.normal() * spread);
}

const someOf = (count: number, like: number, labels: readonly string[], random: Random): Item[] =>
  Array.from({ length: count }, () => ({ vector: looking(like, random), labels }));

const doubted = ({ mislabel }: Judged): number[] => [...mislabel.keys()].filter((item) => mislabel[item]! >= 0.5);

it('finds exactly the exchanged labels, and suggests the right ones', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.array(fc.integer({ min: 12, max: 40 }), { minLength: 2, maxLength: 5 }),
      async (seed, sizes) => {
        const random = new Random(seed);
        const items = sizes.flatMap((size, look) => someOf(size, look, [`look ${look}`], random));
        // One item of each class gets the label of the next class.
        let first = 0;
        const exchanged = sizes.map((size, look) => {
          const at = first + random.integer(size);
          first += size;
          items[at] = { ...items[at]!, labels: [`look ${(look + 1) % sizes.length}`] };
          return at;
        });
        const judged = await judge(items);
        expect(doubted(judged)).toEqual(exchanged);
        expect(exchanged.map((at) => judged.suggestion[at])).toEqual(sizes.map((_, look) => `look ${look}`));
      },
    ),
    { numRuns: 25 },
  );
});

it('doubts few items that look as items with their label often do', async () => {
  const random = new Random(12);
  const items = [
    ...someOf(80, 0, ['dress'], random),
    ...someOf(30, 1, ['skirt'], random),
    // Half of the skirts look like dresses.
    ...someOf(30, 0, ['skirt'], random),
    ...someOf(40, 2, ['hat'], random),
    ...someOf(1, 0, ['hat'], random),
  ];
  const judged = await judge(items);
  expect(doubted(judged).filter((item) => item < 180).length).toBeLessThan(8);
  expect(doubted(judged)).toContain(180);
  expect(judged.suggestion[180]).toBe('dress');
});

it('does not depend on the order of the items', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const random = new Random(seed);
      const labels = ['a', 'b', 'c'];
      const items = Array.from({ length: 120 }, (): Item => {
        const look = random.integer(4);
        const own = random.next() < 0.8 ? labels[look % 3]! : random.pick(labels);
        return { vector: looking(look, random, 0.2), labels: random.next() < 0.1 ? [] : [own] };
      });
      const order = items.map((_, at) => at);
      for (let at = order.length - 1; at > 0; at--) {
        const other = random.integer(at + 1);
        [order[at], order[other]] = [order[other]!, order[at]!];
      }
      const straight = await judge(items);
      const shuffled = await judge(order.map((at) => items[at]!));
      order.forEach((at, place) => {
        expect(shuffled.mislabel[place]).toBeCloseTo(straight.mislabel[at]!, 5);
        expect(shuffled.classOutlier[place]).toBeCloseTo(straight.classOutlier[at]!, 5);
        if (straight.mislabel[at]! > 0.01) expect(shuffled.suggestion[place]).toBe(straight.suggestion[at]);
      });
    }),
    { numRuns: 10 },
  );
});

it('equals the label issues of the whole structure', async () => {
  const random = new Random(3);
  const { input } = inputOf([
    ...someOf(30, 0, ['a'], random),
    ...someOf(29, 1, ['b'], random),
    ...someOf(1, 0, ['b'], random),
  ]);
  const { labelIssues } = await structureOfVectors(input);
  expect(labelIssues).toEqual(await labelIssuesOfVectors(input));
  expect(labelIssues!.mislabel[59]).toBeGreaterThan(0.5);
});

describe('copies', () => {
  const random = new Random(5);
  const [known, others] = [someOf(30, 0, ['a'], random), someOf(30, 1, ['b'], random)];
  const wrong = looking(0, random);

  it.each([
    ['with the same bytes', () => wrong, 7],
    ['with an equal vector', () => wrong, undefined],
    ['that are near copies', () => wrong.map((value) => value + random.normal() * 0.01), undefined],
  ])('%s do not support each other', async (_, vectorOf, content) => {
    const copies = Array.from({ length: 12 }, (): Item => {
      const copy = { vector: vectorOf(), labels: ['b'] };
      return content === undefined ? copy : { ...copy, content };
    });
    const judged = await judge([...known, ...others, ...copies]);
    expect(doubted(judged)).toEqual(copies.map((_each, at) => 60 + at));
  });

  it('are votes against a different label of one of them', async () => {
    const near = Array.from({ length: 12 }, () => ({
      vector: wrong.map((v) => v + random.normal() * 0.01),
      labels: ['a'],
    }));
    const judged = await judge([...known, ...others, ...near, { vector: wrong, labels: ['b'] }]);
    expect(doubted(judged)).toEqual([72]);
  });
});

describe('no issues', () => {
  const random = new Random(8);
  const none = async (items: readonly Item[]): Promise<void> => {
    const { mislabel, classOutlier, suggestion } = await judge(items);
    expect([...mislabel]).toEqual(items.map(() => 0));
    expect([...classOutlier]).toEqual(items.map(() => 0));
    expect(suggestion).toEqual(items.map(() => undefined));
  };

  it('are found without items or labels', async () => {
    await none([]);
    await none(someOf(20, 0, [], random));
  });

  it('are found if all items have the same label', () =>
    none([...someOf(20, 0, ['a'], random), ...someOf(3, 1, ['a'], random)]));

  it('are found if only one item has a label', async () => {
    const items = [...someOf(20, 0, ['a'], random), ...someOf(20, 1, ['b'], random), ...someOf(1, 0, ['c'], random)];
    const { mislabel, classOutlier } = await judge(items);
    expect([mislabel[40], classOutlier[40]]).toEqual([0, 0]);
  });

  it('are found for items without labels, which do not affect others', async () => {
    const items = [...someOf(20, 0, ['a'], random), ...someOf(20, 1, ['b'], random), ...someOf(60, 0, [], random)];
    const { mislabel } = await judge(items);
    expect(Math.max(...mislabel)).toBeLessThan(0.5);
    expect([...mislabel.subarray(40)]).toEqual(new Array(60).fill(0));
  });
});

describe('items with several labels', () => {
  it('have the doubt of their most doubtful label', async () => {
    const random = new Random(9);
    const items = [
      ...someOf(30, 0, ['animal', 'cat'], random),
      ...someOf(30, 1, ['animal', 'dog'], random),
      ...someOf(30, 2, ['car'], random),
      { vector: looking(0, random), labels: ['animal', 'dog'] },
      { vector: looking(1, random), labels: ['dog', 'car'] },
      { vector: looking(1, random), labels: ['dog'] },
    ];
    const judged = await judge(items);
    expect(doubted(judged)).toEqual([90, 91]);
    expect(judged.suggestion.slice(90, 92)).toEqual(['cat', 'animal']);
  });

  it('are not doubted for labels that do not depend on the image', async () => {
    const random = new Random(10);
    const marked = (like: number, labels: readonly string[]): Item[] =>
      someOf(60, like, labels, random).map((item) =>
        random.next() < 0.1 ? { ...item, labels: [...labels, 'checked'] } : item,
      );
    expect(doubted(await judge([...marked(0, ['a']), ...marked(1, ['b'])]))).toEqual([]);
  });
});

it('finds an item unlike others with its label, even if it resembles no other label', async () => {
  const random = new Random(11);
  const items = [
    ...someOf(60, 0, ['a'], random),
    ...someOf(60, 1, ['b'], random),
    { vector: looking(7, random).map((value, at) => value + (at < 2 ? 0.5 : 0)), labels: ['a'] },
  ];
  const { classOutlier, mislabel } = await judge(items);
  expect(classOutlier[120]).toBe(1);
  expect(mislabel[120]).toBeLessThan(0.5);
  expect([...classOutlier.subarray(0, 120)].filter((confidence) => confidence === 1).length).toBeLessThan(8);
});
