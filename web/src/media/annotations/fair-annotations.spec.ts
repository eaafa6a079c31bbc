import { listFairly, sharesOf, type AskPage } from './fair-annotations';

type Listed = Awaited<ReturnType<AskPage>>['annotations'][number];

const LIMIT = 1_000;

/** Answers as the service does: by the names of sources, then page by page. */
function serviceWith(counts: Readonly<Record<string, number>>): AskPage {
  const all = Object.entries(counts).flatMap(([source, count]) =>
    Array.from({ length: count }, (_, at) => ({ id: String(at), source }) as Listed),
  );
  return ({ limit, source, cursor }) => {
    expect(limit).toBeGreaterThan(0);
    expect(limit).toBeLessThanOrEqual(LIMIT);
    const asked = all.filter((each) => source === undefined || each.source === source);
    const from = Number(cursor ?? 0);
    const next = from + limit;
    return Promise.resolve({
      annotations: asked.slice(from, next),
      next_cursor: next < asked.length ? String(next) : null,
      total: asked.length,
    });
  };
}

async function shownOf(counts: Readonly<Record<string, number>>, most: number) {
  const { annotations, cut } = await listFairly(serviceWith(counts), () => Promise.resolve(Object.keys(counts)), most);
  expect(new Set(annotations.map(({ source, id }) => `${source} ${id}`)).size).toBe(annotations.length);
  const shown = Object.fromEntries(
    Object.keys(counts).map((source) => [source, annotations.filter((each) => each.source === source).length]),
  );
  return { shown, cut };
}

describe('the annotations of a picture', () => {
  it('are all shown if they are few', async () => {
    expect(await shownOf({ a: 1_500, b: 900 }, 5_000)).toEqual({ shown: { a: 1_500, b: 900 }, cut: [] });
    expect(await shownOf({}, 5_000)).toEqual({ shown: {}, cut: [] });
  });

  it('have a fair share of each source otherwise', async () => {
    expect(await shownOf({ a: 9_000, ground_truth: 12, z: 3_000 }, 5_000)).toEqual({
      shown: { a: 2_494, ground_truth: 12, z: 2_494 },
      cut: [
        { source: 'a', shown: 2_494, total: 9_000 },
        { source: 'z', shown: 2_494, total: 3_000 },
      ],
    });
  });

  it('have shares that leave nothing over', () => {
    expect(sharesOf([10, 1, 10], 12)).toEqual([5, 1, 6]);
    expect(sharesOf([3, 3], 10)).toEqual([3, 3]);
    expect(sharesOf([], 10)).toEqual([]);
  });
});
