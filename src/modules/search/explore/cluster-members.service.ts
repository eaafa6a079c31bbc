import { Injectable } from '@nestjs/common';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import {
  parseClusterId,
  scoredRows,
  VersionOpener,
  type ClusterRef,
  type OpenedVersion,
  type PreviewPlace,
  type PublishedState,
  type RowRanking,
} from '../../versions';
import { type SearchQuery, ClusterNotFoundError } from '../query/domain/search-query';
import type { Preview } from './found-clusters';
import { readPreviews } from '../media/read-previews';
import { matchedPlaces } from '../query/matched-places';
import { assertSearchable, SearchEngine, type ScoreKind } from '../query/search-engine';

export interface MembersPage {
  readonly total: number;
  readonly members: readonly Preview[];
  readonly scored: ScoreKind | undefined;
  /** Set if only some members were ranked, so that some may be missing. */
  readonly recall: number | undefined;
}

/** The members of a cluster that match the filters, in pages. */
@Injectable()
export class ClusterMembersService {
  constructor(
    private readonly versions: VersionOpener,
    private readonly engine: SearchEngine,
  ) {}

  async page(
    { datasetId, pointer, status }: PublishedState,
    id: string,
    query: SearchQuery,
    { page, limit }: { page: number; limit: number },
  ): Promise<MembersPage> {
    const ref = pointer === null ? undefined : parseClusterId(pointer, id);
    if (pointer === null || ref === undefined) throw new ClusterNotFoundError();
    assertSearchable(query, status);
    using version = await this.versions.openToBrowse(pointer);
    const all = await membersOf(version, ref);
    if (all.length === 0) throw new ClusterNotFoundError();
    const asked = { ...query, entityType: ref.entityType };
    const among = OrdinalSet.of(version.rows, all);
    const { matches, ranking, scored } = await this.engine.select(datasetId, version, asked, { among });
    const members = matches === undefined ? all : all.filter((row) => matches.has(row));
    const ordered = await inOrder(members, ranking);
    const onPage = ordered.slice(page * limit, (page + 1) * limit);
    const ordinals = onPage.map(({ ordinal }) => ordinal);
    const matched = await matchedPlaces(version, query.filters, ordinals);
    const [shown] = await readPreviews(version, [onPage], { matched });
    return { total: ordered.length, members: shown!, scored, recall: version.recall };
  }
}

export async function membersOf(version: OpenedVersion, ref: ClusterRef): Promise<Int32Array> {
  if ('level' in ref) return version.index.membersOf(ref.entityType, ref.level, ref.cluster);
  const groups = await version.duplicates(ref.entityType, ref.similarity);
  const group = groups.groupAround(ref.centre);
  return group === undefined ? new Int32Array() : groups.members(group);
}

async function inOrder(rows: Int32Array, ranking: RowRanking | undefined): Promise<PreviewPlace[]> {
  if (ranking === undefined) return Array.from(rows, (ordinal) => ({ ordinal, score: null }));
  const results = scoredRows(rows, ranking.approximate);
  const scores = await ranking.refine(results);
  const place = ({ ordinal }: PreviewPlace): number => (ordinal === ranking.self ? -1 : ordinal);
  return Array.from(results, (ordinal, i) => ({ ordinal, score: scores[i]! })).sort(
    (a, b) => a.score - b.score || place(a) - place(b),
  );
}
