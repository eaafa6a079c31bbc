import { Injectable } from '@nestjs/common';
import { OrdinalSet } from '../../common/engine/media-table/ordinal-set';
import type { CosineScan } from '../../common/engine/vectors/vector-matrix';
import { AnchorReader } from './anchors/anchor.reader';
import { KINDS_OF } from './domain/entity-type';
import type { ClusterPage } from './domain/explore-index';
import { cutOf, type Ranking, type SearchQuery } from './domain/query/search-query';
import { inSlices, ownTurn } from './domain/in-slices';
import type { RowRanking } from './domain/row-ranking';
import type { DuplicateGroups } from './duplicates/duplicate-groups';
import { FilterEvaluator } from './filter-evaluator';
import type { OpenedVersion } from './opened-version';

/** Of the scores: shown as cosine distances, or only good for an order. */
export type Scored = 'cosine_distance' | 'order';

export interface Found {
  readonly page: ClusterPage;
  readonly matches: OrdinalSet | undefined;
  readonly scored: Scored | undefined;
  /** When results are grouped by near duplicates, not by clusters. */
  readonly groups: DuplicateGroups | undefined;
}

/** All rows that a query is about, and in which order: for as long as the version is open. */
export interface Selected {
  /** Undefined for all. */
  readonly matches: OrdinalSet | undefined;
  readonly ranking: RowRanking | undefined;
  readonly scored: Scored | undefined;
}

/** One way to ask: every search goes through here. */
@Injectable()
export class SearchEngine {
  constructor(private readonly anchors: AnchorReader) {}

  async page(datasetId: string, version: OpenedVersion, query: SearchQuery, page: number): Promise<Found> {
    const { matches, ranking, scored } = await this.select(datasetId, version, query);
    await ownTurn();
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
    return { page: found, matches, scored: groups === undefined ? scored : undefined, groups };
  }

  /** The entities of the type that a query is about. */
  async rowsOf(datasetId: string, version: OpenedVersion, query: SearchQuery): Promise<OrdinalSet> {
    const { matches } = await this.select(datasetId, version, query);
    const rows = await version.index.rowsOf(KINDS_OF[query.entityType]);
    return matches === undefined ? rows : rows.and(matches);
  }

  async select(datasetId: string, version: OpenedVersion, query: SearchQuery): Promise<Selected> {
    const { entityType, filters, duplicates } = query;
    let passed = await new FilterEvaluator(version, entityType).all(filters);
    if (duplicates !== undefined) {
      const groups = await version.duplicates(entityType, duplicates);
      passed = await inGroupsOfTwo(groups, passed ?? OrdinalSet.all(version.rows));
    }
    if (query.ranking === undefined) return { matches: passed, ...(await this.byKeywords(version, query)) };
    return this.ranked(datasetId, version, query, query.ranking, passed);
  }

  private async ranked(
    datasetId: string,
    version: OpenedVersion,
    { entityType }: SearchQuery,
    ranking: Ranking,
    passed: OrdinalSet | undefined,
  ): Promise<Selected> {
    if (ranking.kind === 'anchor') {
      const { anchorId, anchorType } = ranking;
      const { vector, self } = await this.anchors.vectorOf(datasetId, version.pointer, {
        anchorId,
        anchorType,
        entityType,
      });
      const scan = await version.looks(vector);
      return { matches: passed, ranking: byDistance(scan, self), scored: 'cosine_distance' };
    }
    const scan = await version.meaning(ranking.text);
    if (scan === undefined)
      return { matches: OrdinalSet.none(version.rows), ranking: undefined, scored: 'cosine_distance' };
    return {
      matches: await scan.within(cutOf(ranking), passed),
      ranking: byDistance(scan, null),
      scored: 'cosine_distance',
    };
  }

  /** Keyword hits come by how well they match. */
  private async byKeywords(version: OpenedVersion, query: SearchQuery): Promise<Pick<Selected, 'ranking' | 'scored'>> {
    const filter = query.filters.find(({ kind }) => kind === 'keywords');
    if (filter?.kind !== 'keywords') return { ranking: undefined, scored: undefined };
    const { ranks: approximate } = await version.keywordHits(filter.query);
    const refine = (rows: Int32Array): Promise<Float32Array> =>
      Promise.resolve(Float32Array.from(rows, (row) => approximate[row]!));
    return { ranking: { approximate, tolerance: 0, refine }, scored: 'order' };
  }
}

/** Without those whose group has no other row that passed: alone, nothing is a duplicate. */
async function inGroupsOfTwo({ groupOf, groups }: DuplicateGroups, passed: OrdinalSet): Promise<OrdinalSet> {
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

/** What was searched with is nearest to itself, whatever rounding says. */
function byDistance(scan: CosineScan, self: number | null): RowRanking {
  const { distances: approximate, tolerance } = scan;
  if (self !== null) approximate[self] = 0;
  return {
    approximate,
    tolerance,
    self: self ?? undefined,
    refine: async (ordinals) => {
      const scores = await scan.refine(ordinals);
      const at = self === null ? -1 : ordinals.indexOf(self);
      if (at >= 0) scores[at] = 0;
      return scores.map((score) => Math.max(0, score));
    },
  };
}
