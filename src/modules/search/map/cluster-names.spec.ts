import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pointerTo } from '../../../../test/support/dataset-pointer';
import { folderStore } from '../../../../test/support/folder-store';
import { DIMENSIONS, inBatches, mediaRow } from '../../../../test/support/media-rows';
import { openSearch } from '../../../../test/support/opened-search';
import { writeEdges } from '../../../common/engine/media-table/edges-file';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { LabelHierarchy } from '../../../common/engine/models/label-hierarchy';
import { makeSearchQuery } from '../query/domain/make-search-query';

const HIERARCHY = LabelHierarchy.of([
  ['terrier', 'poodle', 'beagle'].map((label) => ({ label, parents: ['dog', 'animal'] })),
  [{ label: 'tabby', parents: ['cat', 'animal'] }],
]);

/** By cluster, the labels of its media. */
const CLUSTERS = [
  ['terrier', 'poodle', 'beagle', 'tabby', 'boat'],
  ['terrier', 'tabby', 'tabby'],
  ['boat', 'car'],
];

it('names a cluster after the parent of different labels', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cluster-names-'));
  const tables = new MediaTableStore({ uri: folder, storageOptions: {} });
  const store = folderStore(folder);
  const media = CLUSTERS.flatMap((labels, cluster) => labels.map((label) => ({ label, cluster })));
  const rows = media.map(({ label, cluster }, seed) =>
    mediaRow(seed, { path: `${seed}.jpg`, labels: [label], clusters: [seed, seed, seed, cluster, cluster] }),
  );
  const written = await tables.create(randomUUID(), DIMENSIONS, inBatches(rows, 100));
  await writeEdges(store, written, []);
  const { map, state } = await openSearch({
    tables,
    store,
    dataset: () => ({ pointer: pointerTo(written), status: 'READY' }),
    labelHierarchy: HIERARCHY,
  });
  const query = makeSearchQuery({
    entityType: 'IMAGES',
    level: 0,
    filters: [],
    caption: undefined,
    anchor: undefined,
  });
  const { legend } = await map.overview(state(), { query, colour: 'cluster' });
  expect(legend.map(({ name }) => name)).toEqual(['dog', 'tabby', 'boat']);
  rmSync(folder, { recursive: true, force: true });
});
