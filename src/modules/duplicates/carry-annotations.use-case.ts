import { Injectable, type OnModuleInit } from '@nestjs/common';
import { givenLabels, type MediaRow } from '../../common/engine/media-table/media-row';
import type { Principal } from '../../common/platform/http/principal';
import { AnnotateMediaUseCase, type Annotation } from '../annotations';
import { DatasetReader, type DatasetPointer } from '../datasets';
import { VersionOpener } from '../versions';
import { DecidedRowsCache } from './decided-rows.cache';
import { DuplicateDecisionRepository } from './persistence/duplicate-decision.repository';
import { CloneCompanions } from '../snapshots';

/** Copies the decisions of a dataset to its clones, which have the same media. */
@Injectable()
export class CopiedDecisions implements OnModuleInit {
  constructor(
    private readonly companions: CloneCompanions,
    private readonly decisions: DuplicateDecisionRepository,
  ) {}

  onModuleInit(): void {
    this.companions.register((source, clone) => this.decisions.copy(source.id, clone.id));
  }
}

export interface StartedCarrying {
  /** Null if there is nothing to carry. */
  readonly taskId: string | null;
  /** How many media get labels or a caption. */
  readonly media: number;
  /** Whether another task is needed for the others. */
  readonly hasMore: boolean;
}

/** In one task. */
const MOST_MEDIA = 100_000;
const FIELDS = ['id', 'labels', 'generatedLabels', 'caption'] as const;
type CarriedRow = Pick<MediaRow, (typeof FIELDS)[number]>;

/**
 * Gives labels and captions of people from media that go to those that stay: what is missing there, by all decisions in force. What
 * was carried once is not missing any more, so it can be started again at any time.
 */
@Injectable()
export class CarryAnnotationsUseCase {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly versions: VersionOpener,
    private readonly decidedRows: DecidedRowsCache,
    private readonly decisions: DuplicateDecisionRepository,
    private readonly annotate: AnnotateMediaUseCase,
  ) {}

  async start(datasetId: string, by: Principal): Promise<StartedCarrying> {
    await this.annotate.assertPossible(datasetId);
    const { pointer } = await this.datasets.get(datasetId);
    const nothing = { taskId: null, media: 0, hasMore: false };
    if (pointer === null) return nothing;
    const annotations = await this.missing(datasetId, pointer);
    if (annotations.length === 0) return nothing;
    const now = annotations.slice(0, MOST_MEDIA);
    const taskId = await this.annotate.start(datasetId, 'add', now, by);
    return { taskId, media: now.length, hasMore: annotations.length > MOST_MEDIA };
  }

  private async missing(datasetId: string, pointer: DatasetPointer): Promise<Annotation[]> {
    using version = await this.versions.open(pointer);
    const { table } = version;
    const { decided } = await this.decidedRows.open(datasetId, table);
    const all = new Map<string, Annotation>();
    for await (const numbers of this.decisions.numbers(datasetId)) {
      const groups = numbers.map((number) => decided.get(number)).filter(({ removed }) => removed.length > 0);
      const wanted = [...new Set(groups.flatMap(({ kept, removed }) => [...kept, ...removed]))];
      const taken = await table.takeRows(wanted, FIELDS);
      const rows = new Map(wanted.map((row, at) => [row, taken[at]!]));
      for (const { kept, removed } of groups) {
        const from = Array.from(removed, (row) => rows.get(row)!);
        for (const row of kept) {
          const found = carriedTo(rows.get(row)!, from, all.get(rows.get(row)!.id));
          if (found !== undefined) all.set(found.mediaId!, found);
        }
      }
      if (all.size > MOST_MEDIA) break;
    }
    return [...all.values()];
  }
}

/** Added to the annotations of other decisions; undefined if nothing is missing. */
function carriedTo(
  row: CarriedRow,
  from: readonly CarriedRow[],
  before: Annotation | undefined,
): Annotation | undefined {
  const own = givenLabels(row);
  const labels = [...new Set([...(before?.labels ?? []), ...from.flatMap(givenLabels)])].filter(
    (label) => !own.includes(label),
  );
  const caption =
    row.caption === null ? (before?.caption ?? from.find((each) => each.caption !== null)?.caption) : null;
  if (labels.length === 0 && (caption ?? null) === null) return undefined;
  return {
    mediaId: row.id,
    ...(labels.length === 0 ? {} : { labels }),
    ...((caption ?? null) === null ? {} : { caption }),
  };
}
