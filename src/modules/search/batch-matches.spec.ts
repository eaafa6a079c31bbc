import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderStore } from '../../../test/support/folder-store';
import { DIMENSION, idOf, mediaRow } from '../../../test/support/media-rows';
import { openSearch, type OpenedSearch } from '../../../test/support/opened-search';
import { writeEdges } from '../../common/engine/media-table/edges-file';
import { ENTITY_KINDS, type EntityKind, type MediaRow } from '../../common/engine/media-table/media-row';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import { DEFAULT_TEXT_MODEL } from '../../common/platform/config/default-models';
import { ModelRegistry } from '../../common/engine/models/model-registry';
import type { DatasetPointer } from '../datasets';
import type { MatchCounts } from './batch-matches';
import { ENTITY_TYPES } from './domain/entity-type';
import { ISSUE_NAMES, type Filter } from './domain/query/filter';
import { parseKeywords } from './domain/query/parse-keywords';
import type { SearchQuery } from './domain/query/search-query';

/** More with `FUZZ_RUNS=10000 npm test -- batch-matches`. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 150);
const MS_A_RUN = 400;

const ROWS = 90;
const BATCHES = ['first', 'second', 'third'].map(idOf);
const DATASET = randomUUID();
const NAMES = ['IMG_1.jpg', 'img_1.JPG', "it's.png", '100%.png', 'a\\b.png', 'größe.jpg', 'gro\u0308ße.jpg', '猫.jpg'];
const CAPTIONS = ['a brown dog', 'a red car', 'two dogs and a car', null, '…'];
const FOLDERS = ['', 'train/', 'train/day 1/', 'Träin/'];
const LABELS = ['dog', 'Dog', "o'clock"];
const TAGS = ['keep', 'drop'].map(idOf);
const VALUES = [...NAMES, ...LABELS, 'IMG', '.jpg', '_', '%', "'", '\\', 'ö', '\u0308', '', 'train', '1', '/'];
const TEXTS = ['dog', 'a red car', 'car dogs', '…'];

const folder = mkdtempSync(join(tmpdir(), 'batch-matches-'));
let pointer: DatasetPointer;
let search: OpenedSearch;

const at = <T>(list: readonly T[], row: number): T => list[row % list.length]!;
const kindOf = (row: number): EntityKind => (row < 50 ? 'IMAGE' : row < 60 ? 'OBJECT' : row < 70 ? 'VIDEO' : 'FRAME');

/** A batch holds its videos with their frames, and the objects of its images. */
const madeRow = (row: number): Partial<MediaRow> => ({
  kind: kindOf(row),
  batchId: at(BATCHES, row),
  parentId: kindOf(row) === 'FRAME' ? idOf(`image_${60 + ((row - 69) % 9)}.jpg`) : null,
  fileName: at(NAMES, row >> 1),
  path: `${at(FOLDERS, row)}${at(NAMES, row)}`,
  caption: at(CAPTIONS, row),
  labels: LABELS.filter((_, i) => ((row >> i) & 1) === 1),
  width: 10 * (row % 7),
  height: row,
  blurConfidence: at([0, 0.25, 0.5, 0.75, 1], row),
  outlierConfidence: at([0.1, 0.9], row),
  uniqueness: row / ROWS,
});

beforeAll(async () => {
  const texts = await (await ModelRegistry.load(null)).getText(DEFAULT_TEXT_MODEL).open();
  const vectors = await texts.embed(CAPTIONS.map((caption) => caption ?? ''));
  const rows = Array.from({ length: ROWS }, (_, row) =>
    mediaRow(row, { ...madeRow(row), captionEmbedding: at(vectors, row) ?? null }),
  );
  const tables = new MediaTableStore({ uri: folder, storageOptions: {} });
  const dimensions = { embedding: DIMENSION, captionEmbedding: texts.dimension };
  const written = await tables.create(randomUUID(), dimensions, [rows]);
  const store = folderStore(folder);
  const pairs = { first: Int32Array.of(0, 1, 71), second: Int32Array.of(4, 2, 75), cosine: Float32Array.of(1, 0.9, 2) };
  await writeEdges(store, written, [pairs]);
  pointer = {
    generation: written.generation,
    version: written.version,
    clusteringId: randomUUID(),
    modelId: 'm',
    textModelId: DEFAULT_TEXT_MODEL,
    ladder: [0.96, 0.93, 0.9, 0.85, 0.8],
    tagsFile: randomUUID(),
  };
  const tags = new Map(TAGS.map((tag, i) => [tag, Int32Array.from({ length: 20 }, (_, row) => row * 4 + i)]));
  search = await openSearch({ tables, store, tags, dataset: () => ({ pointer, status: 'READY' }) });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const some = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 });
const setOp = fc.constantFrom('is', 'is_not', 'one_of', 'not_one_of');
const share = fc.constantFrom(0, 0.25, 0.5, 0.9, 1);
const keywords = fc.constantFrom('dog', 'dog OR car', 'car -dog', '"brown dog"').map((text): Filter => {
  const query = parseKeywords(text);
  if (query.kind === 'error') throw new Error(query.message);
  return { kind: 'keywords', query };
});

const plainFilter: fc.Arbitrary<Filter> = fc.oneof(
  keywords,
  fc.record({ kind: fc.constant('meaning'), text: fc.constantFrom(...TEXTS), minSimilarity: share }),
  fc.record({ kind: fc.constant('meaning'), text: fc.constantFrom(...TEXTS), maxDistance: share }),
  fc.record({ kind: fc.constant('labels'), op: setOp, values: some(LABELS) }),
  fc.record({ kind: fc.constant('tags'), op: setOp, values: some([...TAGS, idOf('none')]) }),
  fc.constantFrom<Filter>({ kind: 'unlabeled' }, { kind: 'untagged' }),
  fc.record({ kind: fc.constant('issues'), names: some(ISSUE_NAMES), threshold: fc.constantFrom(0.8, 0.9, 1) }),
  fc.record({ kind: fc.constant('duplicates'), similarity: fc.constantFrom(0.8, 0.9, 1) }),
  fc.record({ kind: fc.constant('uniqueness'), above: share }),
  fc.record({
    kind: fc.constantFrom('folders', 'files'),
    op: fc.constantFrom('one_of', 'starts_with', 'ends_with', 'contains'),
    values: some(VALUES),
  }),
  fc.record({ kind: fc.constant('mediaType'), kinds: some(ENTITY_KINDS) }),
  fc.record({
    kind: fc.constant('range'),
    field: fc.constantFrom('width', 'height', 'size'),
    min: fc.nat(60),
    max: fc.nat(1080),
  }),
  fc.record({ kind: fc.constant('batch'), values: some([...BATCHES, idOf('other')]) }),
);

const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small' },
    plainFilter,
    fc.record({
      kind: fc.constantFrom('and', 'or'),
      filters: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not'), filter: tie('filter') }),
  ),
}));

const query: fc.Arbitrary<SearchQuery> = fc.record(
  {
    entityType: fc.constantFrom(...ENTITY_TYPES),
    level: fc.constant(0),
    filters: fc.array(filter, { maxLength: 3 }),
    ranking: fc.record(
      { kind: fc.constant('meaning'), text: fc.constantFrom(...TEXTS), maxDistance: share },
      { requiredKeys: ['kind', 'text'] },
    ),
  },
  { requiredKeys: ['entityType', 'level', 'filters'] },
);

async function explored(asked: SearchQuery): Promise<MatchCounts> {
  const rows = await search.versions.use(pointer, (version) => search.engine.rowsOf(DATASET, version, asked));
  const found = [...rows.toArray()];
  const of = (kind: EntityKind): number => found.filter((row) => kindOf(row) === kind).length;
  const shown = new Set(found.filter((row) => kindOf(row) === 'FRAME').map((row) => madeRow(row).parentId));
  const videosAlone = found.filter((row) => kindOf(row) === 'VIDEO' && !shown.has(idOf(`image_${row}.jpg`))).length;
  return { images: of('IMAGE'), objects: of('OBJECT'), frames: of('FRAME'), videosAlone };
}

async function watched(queries: readonly SearchQuery[]): Promise<MatchCounts[]> {
  const { signal } = new AbortController();
  const sums = queries.map(() => ({ images: 0, objects: 0, frames: 0, videosAlone: 0 }));
  for (const batchId of BATCHES) {
    for (const [i, counts] of (await search.matches.count({ pointer, batchId, queries, signal })).entries()) {
      if (counts instanceof Error) throw counts;
      for (const what of Object.keys(counts) as (keyof MatchCounts)[]) sums[i]![what] += counts[what];
    }
  }
  return sums;
}

async function agree(queries: readonly SearchQuery[]): Promise<void> {
  const sums = await watched(queries);
  for (const [i, asked] of queries.entries()) expect([asked, sums[i]]).toEqual([asked, await explored(asked)]);
}

it(
  'counts over all batches what a search of the whole version finds',
  () =>
    fc.assert(
      fc.asyncProperty(query, (asked) => agree([asked])),
      { numRuns: RUNS },
    ),
  RUNS * MS_A_RUN,
);

it.each(['files', 'folders'] as const)('counts the same for every test of the names of %s', async (kind) => {
  const ops = ['one_of', 'starts_with', 'ends_with', 'contains'] as const;
  const filters = ops.flatMap((op) => VALUES.map((value): Filter => ({ kind, op, values: [value] })));
  await agree(filters.map((each) => ({ entityType: 'IMAGES', level: 0, filters: [each] })));
});
