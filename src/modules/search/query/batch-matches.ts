import { Inject, Injectable } from '@nestjs/common';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import type { LabelHierarchy } from '../../../common/engine/models/label-hierarchy';
import { ModelRegistry } from '../../../common/engine/models/model-registry';
import type { DatasetPointer } from '../../datasets';
import { yieldTurn } from '../../../common/platform/concurrency/in-slices';
import { EvaluatedFileReader, KINDS_OF, PartOfVersion, VersionOpener } from '../../versions';
import { noOutcomes, NoOutcomesError, openEvaluations, withFound } from './domain/evaluation-filters';
import { cutOf, type SearchQuery } from './domain/search-query';
import { FilterEvaluator } from './filter-evaluator';

export interface MatchCounts {
  readonly images: number;
  readonly objects: number;
  readonly frames: number;
  /** Videos that match without any of their frames matching. */
  readonly videosWithoutFrames: number;
}

/** Result of one query: the matches in the batch, or the error. */
export type MatchOutcome = MatchCounts | Error;

export interface Batch {
  readonly datasetId: string;
  readonly pointer: DatasetPointer;
  readonly batchId: string;
}

export interface BatchQueries extends Batch {
  readonly queries: readonly SearchQuery[];
  readonly signal: AbortSignal;
}

/** The ids of the evaluations that a query names. */
export const evaluationsOf = ({ filters }: SearchQuery): string[] => [...new Set(openEvaluations(filters))];

/** The number of rows of a batch in memory at a time. */
const PART_ROWS = 8_192;

export const NOTHING_MATCHES: MatchCounts = { images: 0, objects: 0, frames: 0, videosWithoutFrames: 0 };

/** Counts the matches of many queries in one batch. Reads the rest of the version only for filters that need it. */
@Injectable()
export class BatchMatches {
  constructor(
    private readonly versions: VersionOpener,
    @Inject(EvaluatedFileReader) private readonly evaluations: Pick<EvaluatedFileReader, 'find'>,
    @Inject(ModelRegistry) private readonly models: Pick<ModelRegistry, 'labelHierarchy'>,
  ) {}

  /** Those of the evaluations that have not compared a picture of the batch yet; without any that the dataset does not have. */
  async notCompared({ datasetId, pointer, batchId }: Batch, evaluations: readonly string[]): Promise<Set<string>> {
    const known = await this.evaluations.find(datasetId, evaluations);
    const batch = await this.versions.openBatch(pointer, batchId);
    const missing = new Set<string>();
    for (const [id, found] of known) if (found === null || !(await batch.hasOutcomes(found.file))) missing.add(id);
    return missing;
  }

  /** Returns the outcomes in the order of the queries. An error of one query does not affect the others. */
  async count({ datasetId, pointer, batchId, queries: asked, signal }: BatchQueries): Promise<MatchOutcome[]> {
    const queries = await this.withEvaluations(datasetId, asked);
    const batch = await this.versions.openBatch(pointer, batchId);
    const outcomes = queries.map((query): MatchOutcome => (query instanceof Error ? query : NOTHING_MATCHES));
    // Frames may be in a different part from their video.
    const videos = queries.map(() => new Videos());
    for (let first = 0; first < batch.ordinals.length; first += PART_ROWS) {
      const part = await PartOfVersion.open(batch, batch.ordinals.subarray(first, first + PART_ROWS));
      for (const [at, query] of queries.entries()) {
        signal.throwIfAborted();
        const before = outcomes[at]!;
        if (before instanceof Error || query instanceof Error) continue;
        const counted = countIn(part, query, before, videos[at]!, this.models.labelHierarchy);
        outcomes[at] = await counted.catch(asError);
        await yieldTurn();
      }
    }
    return outcomes.map((outcome, at) =>
      outcome instanceof Error ? outcome : { ...outcome, videosWithoutFrames: videos[at]!.alone },
    );
  }

  private async withEvaluations(
    datasetId: string,
    queries: readonly SearchQuery[],
  ): Promise<readonly (SearchQuery | NoOutcomesError)[]> {
    const ids = queries.flatMap(evaluationsOf);
    if (ids.length === 0) return queries;
    const known = await this.evaluations.find(datasetId, ids);
    return queries.map((query) => {
      const unknown = evaluationsOf(query).find((id) => known.get(id) == null);
      if (unknown !== undefined) return noOutcomes(unknown, known, 'vql');
      return { ...query, filters: withFound(query.filters, known) };
    });
  }
}

class Videos {
  private readonly matched = new Set<string>();
  private readonly ofFrames = new Set<string>();

  add({ id, kind, parentId }: ReturnType<PartOfVersion['at']>): void {
    if (kind === 'VIDEO') this.matched.add(id);
    if (kind === 'FRAME' && parentId !== null) this.ofFrames.add(parentId);
  }

  get alone(): number {
    return [...this.matched].filter((id) => !this.ofFrames.has(id)).length;
  }
}

async function countIn(
  part: PartOfVersion,
  query: SearchQuery,
  before: MatchCounts,
  videos: Videos,
  hierarchy: LabelHierarchy,
): Promise<MatchCounts> {
  const counts = { IMAGE: 0, OBJECT: 0, FRAME: 0, VIDEO: 0 };
  for (const row of (await matching(part, query, hierarchy)).toArray()) {
    const media = part.at(row);
    counts[media.kind]++;
    videos.add(media);
  }
  return {
    images: before.images + counts.IMAGE,
    objects: before.objects + counts.OBJECT,
    frames: before.frames + counts.FRAME,
    videosWithoutFrames: 0,
  };
}

/** Finds the same rows as a search in the whole version. */
async function matching(
  part: PartOfVersion,
  { entityType, filters, ranking }: SearchQuery,
  hierarchy: LabelHierarchy,
): Promise<OrdinalSet> {
  const found = await new FilterEvaluator(part, entityType, hierarchy).all(filters);
  const kinds = await part.index.rowsOf(KINDS_OF[entityType]);
  const rows = found?.and(kinds) ?? kinds;
  if (ranking?.kind !== 'textSimilarity') return rows;
  const scan = await part.scanText(ranking);
  if (scan === undefined) return OrdinalSet.none(part.rows);
  return scan.within(cutOf(ranking), rows);
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
