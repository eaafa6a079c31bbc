import { Inject, Injectable } from '@nestjs/common';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { assertCallerWaits } from '../../../common/platform/concurrency/caller-gone';
import type { LabelHierarchy } from '../../../common/engine/models/label-hierarchy';
import { ModelRegistry } from '../../../common/engine/models/model-registry';
import type { CosineScan } from '../../../common/engine/vectors/vector-matrix';
import { DatasetStatusError, MetadataFieldRepository, type DatasetStatus } from '../../datasets';
import { AnchorReader } from '../anchors/anchor.reader';
import { cutOf, type Ranking, type SearchQuery, type SortOrder, MetadataFilterError } from './domain/search-query';
import { inSlices, yieldTurn } from '../../../common/platform/concurrency/in-slices';
import {
  KINDS_OF,
  EvaluatedFileReader,
  type ClusterPage,
  type DuplicateGroups,
  type EntityType,
  type EvaluatedFile,
  type OpenedVersion,
  type RowRanking,
} from '../../versions';
import { assertKnown, openEvaluations, withFound } from './domain/evaluation-filters';
import { metadataFilters, misfitOf } from './domain/facet-filters';
import { FilterEvaluator } from './filter-evaluator';

/** Kind of the scores: cosine distances, which are shown, or values that only define an order. */
export type ScoreKind = 'cosine_distance' | 'order';

export interface Found {
  readonly page: ClusterPage;
  readonly matches: OrdinalSet | undefined;
  readonly scored: ScoreKind | undefined;
  /** Set if results are grouped by near duplicates instead of clusters. */
  readonly groups: DuplicateGroups | undefined;
  /** How many of the first rows were ranked, if not all. */
  readonly searchedRows: number | undefined;
  /** The share of the nearest rows that is expected to have been found, if some may be missing. */
  readonly recall: number | undefined;
}

/** The rows that match a query, with their ranking; valid while the version is open. */
export interface Selected {
  /** Undefined if all rows match. */
  readonly matches: OrdinalSet | undefined;
  readonly ranking: RowRanking | undefined;
  readonly scored: ScoreKind | undefined;
}

export interface SelectOptions {
  /** After this time, a ranking scans the vectors that are loaded so far. */
  readonly patienceMs?: number | undefined;
  /** Only these rows need to be ordered. */
  readonly among?: OrdinalSet | undefined;
}

const VISUAL_SEARCH: readonly DatasetStatus[] = ['READY'];

/** Browsing works while a dataset changes; search by image does not. */
export function assertSearchable({ ranking }: SearchQuery, status: DatasetStatus): void {
  if (ranking?.kind === 'anchor' && !VISUAL_SEARCH.includes(status))
    throw new DatasetStatusError('visual_search', status, VISUAL_SEARCH);
}

/** Runs all searches. */
@Injectable()
export class SearchEngine {
  constructor(
    private readonly anchors: AnchorReader,
    @Inject(MetadataFieldRepository) private readonly fields: Pick<MetadataFieldRepository, 'list'>,
    @Inject(EvaluatedFileReader) private readonly evaluations: Pick<EvaluatedFileReader, 'find'>,
    @Inject(ModelRegistry) private readonly models: Pick<ModelRegistry, 'labelHierarchy'>,
  ) {}

  get labelHierarchy(): LabelHierarchy {
    return this.models.labelHierarchy;
  }

  /** The same query with what its evaluations found until now, on which answers depend. Throws if the dataset has no such result. */
  async withEvaluations(datasetId: string, query: SearchQuery): Promise<SearchQuery> {
    const ids = openEvaluations(query.filters);
    if (ids.length === 0) return query;
    const known = await this.evaluations.find(datasetId, ids);
    for (const id of ids) assertKnown(id, known, 'vql');
    return { ...query, filters: withFound(query.filters, known) };
  }

  /** What an evaluation found. Throws if the dataset has no such result. */
  async evaluated(datasetId: string, id: string): Promise<EvaluatedFile> {
    return assertKnown(id, await this.evaluations.find(datasetId, [id]), 'query');
  }

  /** After `patienceMs`, a ranking scans the vectors that are loaded so far. */
  async page(
    datasetId: string,
    version: OpenedVersion,
    query: SearchQuery,
    page: number,
    patienceMs?: number,
  ): Promise<Found> {
    const { matches, ranking, scored } = await this.select(datasetId, version, query, { patienceMs });
    await yieldTurn();
    assertCallerWaits();
    const { entityType, level, duplicates } = query;
    const groups = duplicates === undefined ? undefined : await version.duplicates(entityType, duplicates);
    const found = await version.index.page({
      entityType,
      level,
      page,
      matches,
      ranking,
      grouping: groups && (await version.index.groupedBy(entityType, groups.groupOf)),
    });
    return {
      page: found,
      matches,
      scored: groups === undefined ? scored : undefined,
      groups,
      searchedRows: version.scannedRows < version.rows ? version.scannedRows : undefined,
      recall: version.recall,
    };
  }

  /** The matching rows of the query's entity type, limited to `among`. */
  async rowsOf(datasetId: string, version: OpenedVersion, query: SearchQuery, among?: OrdinalSet): Promise<OrdinalSet> {
    return ofType(version, query.entityType, await this.matching(datasetId, version, query, among));
  }

  /** The matching rows of any type, without their order; undefined if all match. */
  async matching(
    datasetId: string,
    version: OpenedVersion,
    query: SearchQuery,
    among?: OrdinalSet,
  ): Promise<OrdinalSet | undefined> {
    const passed = await this.filtered(datasetId, version, query, among);
    const { ranking, entityType } = query;
    // A missing anchor is an error here too.
    if (ranking?.kind === 'anchor') await this.anchors.vectorOf(datasetId, version.pointer, { ...ranking, entityType });
    if (ranking?.kind !== 'textSimilarity') return passed;
    const scan = await version.scanText(ranking, { candidates: await ofType(version, entityType, passed) });
    return scan === undefined ? OrdinalSet.none(version.rows) : scan.within(cutOf(ranking), passed);
  }

  /** The matching rows with their order. */
  async select(
    datasetId: string,
    version: OpenedVersion,
    query: SearchQuery,
    options: SelectOptions = {},
  ): Promise<Selected> {
    const passed = await this.filtered(datasetId, version, query);
    if (query.ranking === undefined) return { matches: passed, ...(await this.keywordRanking(version, query)) };
    return this.ranked(datasetId, version, query, query.ranking, passed, options);
  }

  private async filtered(
    datasetId: string,
    version: OpenedVersion,
    query: SearchQuery,
    among?: OrdinalSet,
  ): Promise<OrdinalSet | undefined> {
    const { entityType, filters, duplicates } = await this.withEvaluations(datasetId, query);
    await this.assertFieldsFit(datasetId, version, query);
    const found = await new FilterEvaluator(version, entityType, this.labelHierarchy).all(filters);
    const passed = among === undefined ? found : (found?.and(among) ?? among);
    if (duplicates === undefined) return passed;
    const groups = await version.duplicates(entityType, duplicates);
    return inLargerGroups(groups, passed ?? OrdinalSet.all(version.rows));
  }

  /** Checks declared fields too, which may not have values yet. */
  private async assertFieldsFit(datasetId: string, version: OpenedVersion, { filters }: SearchQuery): Promise<void> {
    for (const filter of metadataFilters(filters)) {
      const column = await version.metadata(filter.field);
      const declared = async () => (await this.fields.list(datasetId)).find(({ name }) => name === filter.field);
      const misfit = misfitOf(filter, column?.type ?? (await declared())?.type);
      if (misfit !== undefined) throw new MetadataFilterError(misfit, filter.field);
    }
  }

  private async ranked(
    datasetId: string,
    version: OpenedVersion,
    { entityType }: SearchQuery,
    ranking: Ranking,
    passed: OrdinalSet | undefined,
    { patienceMs, among }: SelectOptions,
  ): Promise<Selected> {
    if (ranking.kind === 'measure')
      return { matches: passed, ranking: await measureRanking(version, ranking), scored: 'order' };
    const open = among === undefined ? passed : (passed?.and(among) ?? among);
    const options = { patienceMs, candidates: await ofType(version, entityType, open) };
    if (ranking.kind === 'anchor') {
      const { vector, self } = await this.anchors.vectorOf(datasetId, version.pointer, { ...ranking, entityType });
      const scan = await version.scanImages(vector, options);
      return { matches: passed, ranking: anchorRanking(scan, self), scored: 'cosine_distance' };
    }
    const scan = await version.scanText(ranking, options);
    if (scan === undefined)
      return { matches: OrdinalSet.none(version.rows), ranking: undefined, scored: 'cosine_distance' };
    return {
      matches: await scan.within(cutOf(ranking), passed),
      ranking: await scan.ranking(),
      scored: 'cosine_distance',
    };
  }

  /** Orders keyword hits by their rank. */
  private async keywordRanking(
    version: OpenedVersion,
    query: SearchQuery,
  ): Promise<Pick<Selected, 'ranking' | 'scored'>> {
    const filter = query.filters.find(({ kind }) => kind === 'keywords');
    if (filter?.kind !== 'keywords') return { ranking: undefined, scored: undefined };
    const { ranks: approximate } = await version.keywordHits(filter.query);
    const refine = (rows: Int32Array): Promise<Float32Array> =>
      Promise.resolve(Float32Array.from(rows, (row) => approximate[row]!));
    return { ranking: { approximate, tolerance: 0, refine }, scored: 'order' };
  }
}

async function ofType(version: OpenedVersion, entityType: EntityType, rows?: OrdinalSet): Promise<OrdinalSet> {
  const all = await version.index.rowsOf(KINDS_OF[entityType]);
  return rows?.and(all) ?? all;
}

/** Drops rows whose group has no other matching row: a single row is not a duplicate. */
async function inLargerGroups({ groupOf, groups }: DuplicateGroups, passed: OrdinalSet): Promise<OrdinalSet> {
  const sizes = new Int32Array(groups);
  const rows = passed.toArray();
  await inSlices(rows.length, (start, end) => {
    for (let i = start; i < end; i++) {
      const group = groupOf[rows[i]!]!;
      if (group >= 0) sizes[group]!++;
    }
  });
  const kept = OrdinalSet.none(passed.rows);
  await inSlices(rows.length, (start, end) => {
    for (let i = start; i < end; i++) if (sizes[groupOf[rows[i]!]!]! > 1) kept.add(rows[i]!);
  });
  return kept;
}

async function measureRanking(version: OpenedVersion, { measure, isDescending }: SortOrder): Promise<RowRanking> {
  const approximate = await version.ordered(measure, isDescending);
  const refine = (rows: Int32Array): Promise<Float32Array> =>
    Promise.resolve(Float32Array.from(rows, (row) => approximate[row]!));
  return { approximate, tolerance: 0, refine };
}

/** Sets the distance of the anchor itself to 0, which rounding may change. */
function anchorRanking(scan: CosineScan, self: number | null): RowRanking {
  if (self !== null) scan.place(self, 0);
  return {
    approximate: scan.distances,
    atOnce: scan.atOnce,
    rows: scan.rows,
    tolerance: scan.tolerance,
    self: self ?? undefined,
    refine: async (ordinals) => {
      const scores = await scan.refine(ordinals);
      const at = self === null ? -1 : ordinals.indexOf(self);
      if (at >= 0) scores[at] = 0;
      return scores.map((score) => Math.max(0, score));
    },
  };
}
