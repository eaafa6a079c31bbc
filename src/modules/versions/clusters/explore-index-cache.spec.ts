import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIMENSIONS, idOf, mediaRow } from '../../../../test/support/media-rows';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { MediaTable } from '../../../common/engine/media-table/media-table';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import type { TableVersion } from '../../../common/engine/media-table/table-version';
import { ExploreIndexCache } from './explore-index-cache';

const folder = mkdtempSync(join(tmpdir(), 'explore-index-cache-'));
const tables = new MediaTableStore({ uri: folder, storageOptions: {} });

const rows = (first: number, count: number, label: string): MediaRow[][] => [
  Array.from({ length: count }, (_, at) =>
    mediaRow(first + at, {
      labels: at % 2 === 0 ? [label] : [],
      clusters: [first + at, at, at % 3, at % 2, 0],
    }),
  ),
];

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('reads only the rows that a version adds to the one in memory, and no rows of other successors', async () => {
  const base = await tables.create(idOf('index'), DIMENSIONS, rows(0, 20, 'dog'));
  const [grown, other] = [
    await tables.append(base, rows(100, 5, 'cat')),
    await tables.append(base, rows(200, 5, 'bird')),
  ];
  const cache = new ExploreIndexCache(2 ** 24);
  const reads = jest.spyOn(MediaTable.prototype, 'readColumns');
  const agree = async (at: TableVersion): Promise<void> => {
    const table = await tables.open(at);
    const [found, expected] = [await cache.open(table), await new ExploreIndexCache(2 ** 24).open(table)];
    expect(found.columns).toEqual(expected.columns);
    const page = { entityType: 'IMAGES', level: 1, page: 0 } as const;
    expect(await found.page(page)).toEqual(await expected.page(page));
  };
  for (const at of [base, grown, other, base]) await agree(at);
  // The last one is in memory.
  expect(reads.mock.calls.map(([, options]) => options?.from)).toEqual([0, 0, 20, 0, 0, 0, 0]);
});
