import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { writeEdges } from '../../src/common/engine/media-table/edges-file';
import {
  ENTITY_KINDS,
  type EntityKind,
  type MediaRow,
  type MetadataValue,
} from '../../src/common/engine/media-table/media-row';
import { MISTAKES, OUTCOMES } from '../../src/common/engine/evaluation/counted-outcomes';
import { MediaTableStore } from '../../src/common/engine/media-table/media-table-store';
import { LabelHierarchy } from '../../src/common/engine/models/label-hierarchy';
import { ModelRegistry } from '../../src/common/engine/models/model-registry';
import { DEFAULT_TEXT_MODEL } from '../../src/common/platform/config/runtime-settings.schema';
import type { DatasetPointer } from '../../src/modules/datasets';
import { ISSUE_NAMES, RANGES, type Filter } from '../../src/modules/search/query/domain/filter';
import type { MetadataOp } from '../../src/modules/versions/columns/domain/metadata-column';
import { clusterId } from '../../src/modules/versions';
import { parseKeywords } from '../../src/modules/search/query/domain/parse-keywords';
import { pointerTo } from './dataset-pointer';
import { folderStore } from './folder-store';
import { DIMENSION, idOf, mediaRow, unitVector } from './media-rows';
import { outcomesOf, randomPictures } from './made-outcomes';
import { evaluatedFile, openSearch, type OpenedSearch } from './opened-search';
import { SiteModels } from './site-models';
import { StubModelServer } from './stub-model-server';

export const FILTERABLE_ROWS = 90;
export const BATCHES = ['first', 'second', 'third'].map(idOf);
const NAMES = ['IMG_1.jpg', 'img_1.JPG', "it's.png", '100%.png', 'a\\b.png', 'größe.jpg', 'gro\u0308ße.jpg', '猫.jpg'];
const CAPTIONS = ['a brown dog', 'a red car', 'two dogs and a car', null, '…'];
const FOLDERS = ['', 'train/', 'train/day 1/', 'Träin/'];
const LABELS = ['dog', 'Dog', "o'clock"];
/** `dog` is below `animal`, which no row has. */
export const LABEL_HIERARCHY = LabelHierarchy.of([[{ label: 'DOG', parents: ['Animal'] }]]);
/** A field of each type; every row lacks some fields. */
const FIELDS: readonly ((row: number) => MetadataValue)[] = [
  (row) => ({ name: 'flag', type: 'boolean', value: row % 2 === 0 }),
  (row) => ({ name: 'level', type: 'enum', value: ['low', 'high'].filter((_, i) => ((row >> i) & 1) === 1) }),
  (row) => ({ name: 'page', type: 'link', value: `https://site/${row % 5}` }),
  (row) => ({ name: 'score', type: 'float', value: at([-1, 0, 0.5, 1e300], row) }),
  (row) => ({ name: 'site', type: 'string', value: at(NAMES, row) }),
  (row) => ({ name: 'taken', type: 'datetime', value: `202${row % 3}-01-31T12:00:00.000Z` }),
];
const metadataOf = (row: number): readonly MetadataValue[] | null => {
  const values = FIELDS.filter((_, i) => row % (i + 3) !== 0).map((valueOf) => valueOf(row));
  return row % 7 === 0 ? null : values;
};
const CLUSTERING = idOf('clustering');
/** Some clusters of one row, of the first level and of the last, one that no row is in, and one of another clustering. */
const CLUSTERS = [0, 7, 71, FILTERABLE_ROWS].flatMap((cluster) =>
  ([0, 4] as const).map((level) =>
    clusterId(
      {
        clusteringId: cluster === 0 && level === 0 ? idOf('other') : CLUSTERING,
        objectClusteringId: null,
        generation: '',
      },
      { entityType: 'IMAGES', level, cluster },
    ),
  ),
);
const TAGS = ['keep', 'drop'].map(idOf);
export const NAME_PARTS = [
  ...NAMES,
  ...LABELS,
  'IMG',
  '.jpg',
  '_',
  '%',
  "'",
  '\\',
  'ö',
  '\u0308',
  '',
  'train',
  '1',
  '/',
];
export const SIMILARITY_TEXTS = ['dog', 'a red car', 'car dogs', '…'];

const at = <T>(list: readonly T[], row: number): T => list[row % list.length]!;
export const kindOf = (row: number): EntityKind =>
  row < 50 ? 'IMAGE' : row < 60 ? 'OBJECT' : row < 70 ? 'VIDEO' : 'FRAME';

/** A batch contains its videos with their frames, and the objects of its images. */
export const madeRow = (row: number): Partial<MediaRow> => ({
  kind: kindOf(row),
  batchId: at(BATCHES, row),
  meanIntensity: at([null, 0, 40, 120.5, 255], row),
  parentId: kindOf(row) === 'FRAME' ? idOf(`image_${60 + ((row - 69) % 9)}.jpg`) : null,
  fileName: at(NAMES, row >> 1),
  path: `${at(FOLDERS, row)}${at(NAMES, row)}`,
  caption: at(CAPTIONS, row),
  labels: LABELS.filter((_, i) => ((row >> i) & 1) === 1),
  width: 10 * (row % 7),
  height: row,
  blurConfidence: at([0, 0.25, 0.5, 0.75, 1], row),
  outlierConfidence: at([0.1, 0.9], row),
  mislabelConfidence: at([null, 0, 0.5, 0.95], row),
  classOutlierConfidence: at([null, 0, 1], row),
  uniqueness: row / FILTERABLE_ROWS,
  customMetadata: metadataOf(row),
  mapPlace: row % 6 === 5 ? null : { x: at([0, 0.25, 0.5, 0.75], row), y: at([0.1, 0.5, 0.9], row) },
});

const EVALUATED = Array.from({ length: FILTERABLE_ROWS }, (_, row) => mediaRow(row).id).filter((_, row) => row % 3 > 0);
const EVALUATIONS = new Map(
  ['evaluation a', 'evaluation b'].map((name, seed) => [
    idOf(name),
    outcomesOf(randomPictures(EVALUATED, LABELS, seed)),
  ]),
);

export const FOUND_BY_EVALUATIONS = new Map(Array.from(EVALUATIONS.keys(), (id) => [id, evaluatedFile(id)]));

export interface FilterableDataset {
  readonly pointer: DatasetPointer;
  readonly search: OpenedSearch;
}

const ENCODER = 'encoder_v00';
const ENCODER_DIMENSION = 3;
/** Vectors of pictures; some rows have none. */
export const pictureVectorOf = (row: number): Float32Array | null =>
  row % 5 === 4 || kindOf(row) === 'VIDEO' ? null : unitVector(row, ENCODER_DIMENSION);

/** A model whose text vectors can be compared with picture vectors. */
export class FilterableEncoder {
  private constructor(
    readonly models: SiteModels,
    private readonly server: StubModelServer,
  ) {}

  static async start(): Promise<FilterableEncoder> {
    const server = await StubModelServer.start({
      textEmbedding: ({ prompt }) => [...unitVector(prompt.length, ENCODER_DIMENSION)],
    });
    const models = await SiteModels.make();
    await models.addEncoder(ENCODER, server.url, {
      outputs: { dimension: ENCODER_DIMENSION },
      calibration: { unrelated: 0.1, matching: 0.7 },
    });
    return new FilterableEncoder(models, server);
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.models.remove();
  }
}

export async function filterableDataset(folder: string, encoder?: FilterableEncoder): Promise<FilterableDataset> {
  const texts = await (await ModelRegistry.load(null)).get('TEXT_ENCODING', DEFAULT_TEXT_MODEL).open();
  const vectors = await texts.embed(CAPTIONS.map((caption) => caption ?? ''));
  const rows = Array.from({ length: FILTERABLE_ROWS }, (_, row) =>
    mediaRow(row, {
      ...madeRow(row),
      captionEmbedding: at(vectors, row) ?? null,
      // The vector of a generated caption, in addition to that of a human-written caption.
      generatedCaptionEmbedding: row % 4 === 1 && at(vectors, row) != null ? (at(vectors, row + 1) ?? null) : null,
      multimodalEmbedding: encoder === undefined ? null : pictureVectorOf(row),
    }),
  );
  const tables = new MediaTableStore({ uri: folder, storageOptions: {} });
  const dimensions = {
    embedding: DIMENSION,
    captionEmbedding: texts.dimension,
    generatedCaptionEmbedding: texts.dimension,
    ...(encoder && { multimodalEmbedding: ENCODER_DIMENSION }),
  };
  const written = await tables.create(randomUUID(), dimensions, [rows]);
  const store = folderStore(folder);
  const pairs = { first: Int32Array.of(0, 1, 71), second: Int32Array.of(4, 2, 75), cosine: Float32Array.of(1, 0.9, 2) };
  await writeEdges(store, written, [pairs]);
  const pointer = pointerTo(written, {
    textModelId: DEFAULT_TEXT_MODEL,
    enrichments: encoder === undefined ? {} : { MULTIMODEL_IMAGE_ENCODING: { id: ENCODER, metadata: {} } },
    tagsFile: randomUUID(),
    clusteringId: CLUSTERING,
  });
  const tags = new Map(TAGS.map((tag, i) => [tag, Int32Array.from({ length: 20 }, (_, row) => row * 4 + i)]));
  const search = await openSearch({
    tables,
    store,
    tags,
    outcomes: EVALUATIONS,
    labelHierarchy: LABEL_HIERARCHY,
    dataset: () => ({ pointer, status: 'READY' }),
    ...(encoder && { modelsDir: encoder.models.folder }),
  });
  return { pointer, search };
}

const some = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 });
const setOp = fc.constantFrom('is', 'is_not', 'one_of', 'not_one_of');
export const share = fc.constantFrom(0, 0.25, 0.5, 0.9, 1);
const keywords = fc.constantFrom('dog', 'dog OR car', 'car -dog', '"brown dog"').map((text): Filter => {
  const query = parseKeywords(text);
  if (query.kind === 'error') throw new Error(query.message);
  return { kind: 'keywords', query };
});

const ofText = (kind: 'folders' | 'files') =>
  fc.record({
    kind: fc.constant(kind),
    op: fc.constantFrom('one_of', 'starts_with', 'ends_with', 'contains'),
    values: some(NAME_PARTS),
  });

const FIELD_TEXTS = [...NAMES, 'low', 'high', 'https://site/3', 'site', '.jpg', "'"];
const DATES = ['2020-06-01T00:00:00Z', '2021-01-31T13:00:00+01:00'];
const tuple = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> => fc.tuple(value);
const ofField = (
  field: string,
  ops: readonly MetadataOp[],
  values: fc.Arbitrary<readonly (string | number | boolean)[]>,
): fc.Arbitrary<Filter> =>
  fc.record({ kind: fc.constant('metadata'), field: fc.constant(field), op: fc.constantFrom(...ops), values });

export const similarTo = {
  kind: fc.constant('textSimilarity'),
  by: fc.constantFrom('caption', 'meaning'),
  text: fc.constantFrom(...SIMILARITY_TEXTS),
} as const;

/** By kind. */
export const plainFilters: { readonly [Kind in Exclude<Filter['kind'], 'and' | 'or' | 'not'>]: fc.Arbitrary<Filter> } =
  {
    keywords,
    textSimilarity: fc.oneof(
      fc.record({ ...similarTo, minSimilarity: share }),
      fc.record({ ...similarTo, maxDistance: share }),
      fc.record(similarTo),
    ),
    labels: fc.record(
      { kind: fc.constant('labels'), op: setOp, values: some([...LABELS, 'animal']), withNarrower: fc.constant(true) },
      { requiredKeys: ['kind', 'op', 'values'] },
    ),
    unlabeled: fc.constant({ kind: 'unlabeled' }),
    tags: fc.record({ kind: fc.constant('tags'), op: setOp, values: some([...TAGS, idOf('none')]) }),
    untagged: fc.constant({ kind: 'untagged' }),
    issues: fc.record({
      kind: fc.constant('issues'),
      names: some(ISSUE_NAMES),
      threshold: fc.constantFrom(0.8, 0.9, 1),
    }),
    duplicates: fc.record({ kind: fc.constant('duplicates'), similarity: fc.constantFrom(0.8, 0.9, 1) }),
    uniqueness: fc.record({ kind: fc.constant('uniqueness'), above: share }),
    folders: ofText('folders'),
    files: ofText('files'),
    mediaType: fc.record({ kind: fc.constant('mediaType'), kinds: some(ENTITY_KINDS) }),
    range: fc.record({
      kind: fc.constant('range'),
      field: fc.constantFrom(...Object.values(RANGES)),
      min: fc.nat(60),
      max: fc.nat(1080),
    }),
    metadata: fc.oneof(
      ...['site', 'page', 'level'].map((field) => ofField(field, ['eq'], tuple(fc.constantFrom(...FIELD_TEXTS)))),
      ...['site', 'page', 'level'].map((field) => ofField(field, ['contains', 'one_of'], some(FIELD_TEXTS))),
      ofField('score', ['eq', 'gt', 'lt'], tuple(fc.constantFrom(-1, 0, 0.25, 1e300))),
      ofField('score', ['between'], fc.constantFrom([-1, 0], [0, 0.5], [2, 3])),
      ofField('taken', ['eq', 'gt', 'lt'], tuple(fc.constantFrom(...DATES))),
      ofField('taken', ['between'], fc.constant([...DATES])),
      ofField('flag', ['eq'], tuple(fc.boolean())),
    ),
    mapArea: fc.record({
      kind: fc.constant('mapArea'),
      polygon: fc.array(fc.tuple(share, share), { minLength: 3, maxLength: 6 }),
    }),
    evaluation: fc.record(
      {
        kind: fc.constant('evaluation'),
        evaluation: fc.constantFrom(...EVALUATIONS.keys()),
        outcomes: some(OUTCOMES),
        labels: some(LABELS),
        predicted: some(LABELS),
        mistakes: some(MISTAKES),
        iou: fc.constantFrom([0, 0.5], [0.5, 1]),
        area: fc.constantFrom([0, 1000], [1000, 1e9]),
        confidence: share,
        betterIn: fc.constantFrom(...EVALUATIONS.keys()),
      },
      { requiredKeys: ['kind', 'evaluation', 'outcomes'] },
    ),
    clusters: fc.record({ kind: fc.constant('clusters'), values: some(CLUSTERS) }),
    batch: fc.record({ kind: fc.constant('batch'), values: some([...BATCHES, idOf('other')]) }),
  };

/** An arbitrary filter, including groups. */
export const anyFilter: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(...Object.values(plainFilters)),
    fc.record({
      kind: fc.constantFrom('and', 'or'),
      filters: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not'), filter: tie('filter') }),
  ),
})).filter;
