import { randomUUID } from 'node:crypto';
import type { LabelHierarchy } from '../../src/common/engine/models/label-hierarchy';
import type { Outcomes } from '../../src/common/engine/evaluation/outcomes';
import { ModelRegistry } from '../../src/common/engine/models/model-registry';
import { MultimodalTexts } from '../../src/common/engine/compute/multimodal-texts';
import { TextEmbeddings } from '../../src/common/engine/models/kept-models';
import { ImageModelTexts } from '../../src/common/engine/models/texts/image-model-texts';
import type { MediaTableStore } from '../../src/common/engine/media-table/media-table-store';
import type { ObjectStore } from '../../src/common/platform/storage/object-store';
import { QuantisedFiles } from '../../src/common/engine/vectors/quantised-files';
import { VectorCache } from '../../src/common/engine/vectors/vector-cache';
import type { DatasetPointer, DatasetStatus } from '../../src/modules/datasets';
import { AnchorReader } from '../../src/modules/search/anchors/anchor.reader';
import { BatchMatches } from '../../src/modules/search/query/batch-matches';
import { ClusterMembersService } from '../../src/modules/search/explore/cluster-members.service';
import { DuplicateGroupsCache } from '../../src/modules/versions/duplicates/duplicate-groups-cache';
import { ExploreIndexCache } from '../../src/modules/versions/clusters/explore-index-cache';
import { ExploreAnswerCache, ExploreService } from '../../src/modules/search/explore/explore.service';
import { FacetsService } from '../../src/modules/search/facets/facets.service';
import { MapService, MapViews } from '../../src/modules/search/map/map.service';
import { MediaService } from '../../src/modules/search/media/media.service';
import { SearchEngine } from '../../src/modules/search/query/search-engine';
import { SourceAnnotations } from '../../src/modules/versions/annotations/source-annotations';
import { OutcomeCache } from '../../src/modules/versions/evaluations/outcome-cache';
import { VersionCaches } from '../../src/modules/versions/version-caches';
import { TagAssignmentsCache } from '../../src/modules/versions/tags/tag-files';
import { TextVectors } from '../../src/modules/versions/vectors/text-vectors';
import type { EvaluatedFile } from '../../src/modules/versions/evaluations/persistence/evaluated-file.reader';
import type { PublishedState } from '../../src/modules/versions/persistence/published-state.reader';
import { VersionOpener } from '../../src/modules/versions/version-opener';

export interface SearchOptions {
  readonly tables: MediaTableStore;
  readonly store: ObjectStore;
  readonly dataset: () => { readonly pointer: DatasetPointer | null; readonly status: DatasetStatus };
  /** The ordinals of the rows that have each tag. */
  readonly tags?: ReadonlyMap<string, Int32Array>;
  /** Of evaluations, by their ids. Each begins with a confidence of 0.5. */
  readonly outcomes?: ReadonlyMap<string, Outcomes>;
  readonly answerBytes?: number;
  readonly exploreBytes?: number;
  readonly vectorBytes?: number;
  readonly vectors?: VectorCache;
  readonly modelsDir?: string;
  /** In the place of that of the models. */
  readonly labelHierarchy?: LabelHierarchy;
}

const failOnProblem = (problem: string): never => {
  throw new Error(problem);
};

/** Models in compute children require the whole program. */
const encoderPool = {
  describeText: () => Promise.reject(new Error('There are no compute children')),
};

const unknown = (): never => failOnProblem('There are no annotations of sources');
const noAnnotations = new SourceAnnotations({ find: unknown }, { read: unknown, shapesOf: unknown }, 0);

/** The file of an evaluation, which has its id. */
export const evaluatedFile = (id: string): EvaluatedFile => ({ file: id, cuts: { confidence: 0.5 } });

/** Search in the same composition as in the program, but without HTTP, Postgres and uploaded anchors. The names of tags equal their ids. */
export async function openSearch(options: SearchOptions) {
  const registry = await ModelRegistry.load(options.modelsDir ?? null);
  const {
    tables,
    store,
    dataset,
    tags = new Map<string, Int32Array>(),
    outcomes = new Map<string, Outcomes>(),
  } = options;
  const { answerBytes = 2 ** 20, exploreBytes = 2 ** 30, vectorBytes = 2 ** 31 } = options;
  const indexes = new ExploreIndexCache(exploreBytes);
  const vectors = options.vectors ?? new VectorCache(vectorBytes, undefined, new QuantisedFiles(store, failOnProblem));
  const memory = { exploreCacheBytes: exploreBytes };
  const caches = new VersionCaches(
    memory,
    indexes,
    vectors,
    new TagAssignmentsCache({ read: () => Promise.resolve(tags) }, exploreBytes),
    new DuplicateGroupsCache(store, exploreBytes),
    noAnnotations,
    new OutcomeCache({ read: (file) => Promise.resolve(outcomes.get(file)!) }, noAnnotations, exploreBytes),
  );
  const texts = new TextVectors(
    new TextEmbeddings(registry),
    new MultimodalTexts(registry, encoderPool),
    new ImageModelTexts(registry),
  );
  const { labelHierarchy = registry.labelHierarchy } = options;
  const versions = new VersionOpener(tables, caches, texts);
  const evaluations = {
    find: () => Promise.resolve(new Map(Array.from(outcomes.keys(), (id) => [id, evaluatedFile(id)]))),
  };
  const engine = new SearchEngine(
    new AnchorReader(tables, { findLive: () => Promise.resolve(undefined) }),
    {
      list: () => Promise.resolve([]),
    },
    evaluations,
    { labelHierarchy },
  );
  const datasetId = randomUUID();
  const tagNames = new Map(Array.from(tags.keys(), (id) => [id, id]));
  return {
    state: (): PublishedState => ({ datasetId, tagNames, ...dataset() }),
    engine,
    versions,
    indexes,
    vectors,
    explore: new ExploreService(versions, engine, new ExploreAnswerCache(answerBytes)),
    members: new ClusterMembersService(versions, engine),
    facets: new FacetsService(versions, engine),
    media: new MediaService(versions),
    map: new MapService(versions, engine, new MapViews(memory)),
    matches: new BatchMatches(versions, evaluations, { labelHierarchy }),
  };
}

export type OpenedSearch = Awaited<ReturnType<typeof openSearch>>;
