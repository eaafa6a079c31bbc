import { randomUUID } from 'node:crypto';
import { writeEdges } from '../../src/common/engine/media-table/edges-file';
import { MediaTableStore } from '../../src/common/engine/media-table/media-table-store';
import { ModelRegistry } from '../../src/common/engine/models/model-registry';
import { DEFAULT_TEXT_MODEL } from '../../src/common/platform/config/runtime-settings.schema';
import type { DatasetPointer } from '../../src/modules/datasets';
import type { SearchQuery } from '../../src/modules/search/query/domain/search-query';
import { pointerTo } from '../../test/support/dataset-pointer';
import { folderStore } from '../../test/support/folder-store';
import { openSearch, type OpenedSearch, type SearchOptions } from '../../test/support/opened-search';
import type { Report } from '../bench';
import { CaptionedCollection } from './captioned-collection';
import { ExplorePages } from '../../src/modules/search/explore/http/explore.controller';
import { pagePresenter } from './signed-urls';

const DIMENSION = 512;
/** The default of the service on a machine with 24 GiB. */
const INDEX_CACHE_BYTES = 2 * 2 ** 30;
const DATASET = randomUUID();
const NO_CLUSTERS = '{"clusters":[]';
/** The tag of one in a hundred media. */
export const TAG = randomUUID();

export interface SearchedCollection {
  readonly search: OpenedSearch;
  readonly tables: MediaTableStore;
  readonly pointer: DatasetPointer;
  readonly rows: number;
  readonly ask: (query: SearchQuery, page?: number) => Promise<number>;
  /** With partial results allowed: the share of the media that was searched, and the milliseconds. */
  readonly askForPart: (query: SearchQuery) => Promise<{ readonly share: number; readonly milliseconds: number }>;
}

/** Writes the table of a collection and its pairs of near duplicates. Vectors larger than `vectorBytes` get an index. */
export async function writeCollection(
  report: Report,
  folder: string,
  rows: number,
  vectorBytes = Infinity,
): Promise<DatasetPointer> {
  const started = performance.now();
  const texts = await (await ModelRegistry.load(null)).get('TEXT_ENCODING', DEFAULT_TEXT_MODEL).open();
  const collection = new CaptionedCollection({ rows, dimension: DIMENSION, texts });
  const tables = new MediaTableStore({ uri: folder, storageOptions: {} }, { searchedInMemoryBytes: vectorBytes });
  const written = await tables.create(
    randomUUID(),
    { embedding: DIMENSION, captionEmbedding: texts.dimension },
    collection.batches(),
  );
  await writeEdges(folderStore(folder), written, [collection.nearPairs()]);
  report.note(`${rows} rows made and written in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return pointerTo(written, { clusteringId: DATASET, textModelId: DEFAULT_TEXT_MODEL, tagsFile: randomUUID() });
}

/** Opens the collection as in a newly started process, without a cache of results. */
export async function openCollection(
  folder: string,
  rows: number,
  pointer: () => DatasetPointer,
  memory: Pick<SearchOptions, 'vectorBytes' | 'exploreBytes'> = {},
): Promise<SearchedCollection> {
  const tables = new MediaTableStore({ uri: folder, storageOptions: {} }, { indexCacheBytes: INDEX_CACHE_BYTES });
  const tagged = Int32Array.from({ length: Math.floor(rows / 100) }, (_, i) => i * 100);
  const search = await openSearch({
    tables,
    store: folderStore(folder),
    dataset: () => ({ pointer: pointer(), status: 'READY' }),
    tags: new Map([[TAG, tagged]]),
    answerBytes: 0,
    ...memory,
  });
  const pages = new ExplorePages({ get: () => Promise.resolve(search.state()) }, search.explore, pagePresenter());
  const ask = async (query: SearchQuery, page = 0): Promise<number> => {
    const from = performance.now();
    const json = await pages.page(DATASET, { query, page });
    if (json.toString('latin1', 0, NO_CLUSTERS.length) === NO_CLUSTERS)
      throw new Error(`No media found for ${JSON.stringify(query)}`);
    return performance.now() - from;
  };
  const askForPart = async (query: SearchQuery): Promise<{ share: number; milliseconds: number }> => {
    const from = performance.now();
    const { partial } = await search.explore.search(search.state(), query, 0, { allowPartial: true });
    const milliseconds = performance.now() - from;
    return { share: partial === undefined ? 1 : partial.searched / partial.total, milliseconds };
  };
  return { search, tables, pointer: pointer(), rows, ask, askForPart };
}

export async function makeCollection(report: Report, folder: string, rows: number): Promise<SearchedCollection> {
  const pointer = await writeCollection(report, folder, rows);
  return openCollection(folder, rows, () => pointer);
}
