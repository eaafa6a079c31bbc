import { Injectable } from '@nestjs/common';
import { OUTCOME_OF, visitCounted, type Outcome } from '../../../common/engine/evaluation/counted-outcomes';
import { NONE } from '../../../common/engine/evaluation/outcomes';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import type { Level } from '../../../common/engine/media-table/media-row';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import { readPreviews, type Preview } from '../../search';
import { clusterId, VersionOpener, type OpenedVersion, type PublishedState } from '../../versions';
import { cutsOfResult, pointerOf, resultOf, type Evaluation } from '../domain/evaluation';

/** Fewer pictures are no group. */
const LEAST_PICTURES = 3;
const PREVIEWS = 9;

export const FAILURES = ['fp', 'fn'] as const;
export type Failure = (typeof FAILURES)[number];

export interface FailureGroup {
  /** Of the cluster. */
  readonly id: string;
  readonly pictures: number;
  /** Wrong predictions, and annotations that were not found. */
  readonly failures: number;
  /** Pictures of the cluster that were compared, with those without a failure. */
  readonly compared: number;
  readonly previews: readonly Preview[];
}

export interface AskedFailures {
  readonly outcomes: readonly Failure[];
  /** Of the clusters. */
  readonly level: Level;
  readonly limit: number;
}

interface Counted {
  /** By row. */
  readonly failures: Int32Array;
  readonly compared: OrdinalSet;
  readonly perPicture: number;
}

/** Groups pictures with failures by the clusters of the dataset. */
@Injectable()
export class FailureGroups {
  constructor(private readonly versions: VersionOpener) {}

  /** Those with the most failures beyond what as many pictures have on average come first. */
  async of(
    state: PublishedState,
    evaluation: Evaluation,
    { outcomes, level, limit }: AskedFailures,
  ): Promise<FailureGroup[]> {
    using version = await this.versions.open(pointerOf(state));
    const counted = await countFailures(version, evaluation, outcomes);
    const groups = await grouped(version, level, counted);
    const worst = groups.sort((a, b) => b.excess - a.excess || a.cluster - b.cluster).slice(0, limit);
    const failing = worst.map(({ rows }) => rows.filter((row) => counted.failures[row]! > 0));
    const previews = await readPreviews(
      version,
      failing.map((rows) => mostFailures(rows, counted.failures)),
    );
    return worst.map(({ cluster, failures, rows }, at) => ({
      id: clusterId(version.pointer, { entityType: 'IMAGES', level, cluster }),
      pictures: failing[at]!.length,
      failures,
      compared: rows.length,
      previews: previews[at]!,
    }));
  }
}

const mostFailures = (rows: readonly number[], failures: Int32Array) =>
  rows
    .toSorted((a, b) => failures[b]! - failures[a]!)
    .slice(0, PREVIEWS)
    .map((ordinal) => ({ ordinal, score: null }));

async function countFailures(
  version: OpenedVersion,
  evaluation: Evaluation,
  asked: readonly Outcome[],
): Promise<Counted> {
  const { outcomes, rowOf } = await version.outcomes(resultOf(evaluation).file);
  const failures = new Int32Array(version.rows);
  let total = 0;
  await visitCounted(outcomes, cutsOfResult(evaluation), (event, picture) => {
    const row = rowOf[picture]!;
    if (row === NONE || !asked.includes(OUTCOME_OF[event]!)) return;
    failures[row]! += 1;
    total += 1;
  });
  const compared = OrdinalSet.of(
    version.rows,
    rowOf.filter((row) => row !== NONE),
  );
  return { failures, compared, perPicture: total / compared.size };
}

interface Group {
  readonly cluster: number;
  /** That were compared. */
  readonly rows: readonly number[];
  readonly failures: number;
  readonly excess: number;
}

async function grouped({ index }: OpenedVersion, level: Level, counted: Counted): Promise<Group[]> {
  const clusterOf = index.columns.clusters[level]!;
  const members = new Map<number, number[]>();
  await inSlices(clusterOf.length, (start, end) => {
    for (let row = start; row < end; row++) {
      const cluster = clusterOf[row]!;
      if (cluster < 0 || !counted.compared.has(row)) continue;
      const rows = members.get(cluster);
      if (rows === undefined) members.set(cluster, [row]);
      else rows.push(row);
    }
  });
  return [...members].flatMap(([cluster, rows]): Group[] => {
    const failing = rows.filter((row) => counted.failures[row]! > 0).length;
    const failures = rows.reduce((sum, row) => sum + counted.failures[row]!, 0);
    const excess = failures - counted.perPicture * rows.length;
    return failing < LEAST_PICTURES || excess <= 0 ? [] : [{ cluster, rows, failures, excess }];
  });
}
