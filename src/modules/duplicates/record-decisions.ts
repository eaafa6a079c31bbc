import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { DatasetReader, type DatasetPointer } from '../datasets';
import { assertTaggable, AssignmentChanges, NameTagUseCase } from '../search';
import { type Decision, type NewDecision, tagsOfDecisions, type DecidedGroupRows } from './domain/decision';
import { DuplicateDecisionRepository } from './persistence/duplicate-decision.repository';

/** Further effects on the media of decisions. */
export interface DecisionOptions {
  /** The name of the tag for removed media; null for none. */
  readonly tag: string | null;
  /** Whether tags of removed media are assigned to the kept ones. */
  readonly carriesTags: boolean;
}

export interface PlannedDecisions {
  readonly rows: readonly DecidedGroupRows[];
  /** The same ones, in the same order. */
  decisions(): Iterable<NewDecision>;
  /** Of the newest decision that the plan knows. */
  readonly revision: number;
}

export interface RecordedDecisions {
  readonly batchId: string;
  readonly decisions: number;
  readonly kept: number;
  readonly removed: number;
}

/** Records decisions and changes the tags of their media, in one transaction. */
@Injectable()
export class RecordDecisions {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly changes: AssignmentChanges,
    private readonly nameTag: NameTagUseCase,
    private readonly decisions: DuplicateDecisionRepository,
    private readonly audit: AuditLog,
  ) {}

  /** `plan` runs again if others changed the dataset meanwhile. */
  async record(
    datasetId: string,
    { tag, carriesTags }: DecisionOptions,
    by: Principal,
    plan: (pointer: DatasetPointer) => Promise<PlannedDecisions>,
  ): Promise<RecordedDecisions> {
    assertTaggable('decide_duplicates', await this.datasets.get(datasetId));
    const tagId = tag === null ? null : await this.nameTag.findOrCreate(datasetId, tag, by.userId);
    const batchId = randomUUID();
    let planned: PlannedDecisions = { rows: [], decisions: () => [], revision: 0 };
    await this.changes.apply(datasetId, {
      operation: 'decide_duplicates',
      make: async (before, pointer) => {
        planned = await plan(pointer);
        return tagsOfDecisions(before, planned.rows, { tagId, isCarried: carriesTags });
      },
      commit: async () => {
        const { number, revision } = await this.decisions.latest(datasetId);
        if (revision !== planned.revision) return false;
        if (planned.rows.length === 0) return true;
        const common = { batchId, tagId, decidedBy: by.email, decidedAt: new Date() };
        await this.decisions.insert(datasetId, revision + 1, numbered(planned.decisions(), number, common));
        const details = { batch: batchId, ...countsOf(planned.rows) };
        await this.audit.recordBy(by, 'duplicates_decided', datasetId, details);
        return true;
      },
    });
    return { batchId, ...countsOf(planned.rows) };
  }
}

const countsOf = (rows: readonly DecidedGroupRows[]): Omit<RecordedDecisions, 'batchId'> => ({
  decisions: rows.length,
  kept: rows.reduce((sum, { kept }) => sum + kept.length, 0),
  removed: rows.reduce((sum, { removed }) => sum + removed.length, 0),
});

function* numbered(
  decisions: Iterable<NewDecision>,
  latest: number,
  common: Pick<Decision, 'batchId' | 'tagId' | 'decidedBy' | 'decidedAt'>,
): Generator<Decision> {
  let number = latest;
  for (const decision of decisions) yield { ...common, ...decision, id: randomUUID(), number: ++number };
}
