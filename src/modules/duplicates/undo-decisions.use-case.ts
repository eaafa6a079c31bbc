import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { AssignmentChanges } from '../search';
import { VersionOpener } from '../versions';
import { DecidedRowsCache } from './decided-rows.cache';
import type { DecidedRows } from './domain/decided-rows';
import { DecisionNotFoundError, type Decision, untagged } from './domain/decision';
import { DuplicateDecisionRepository, type DecisionChoice } from './persistence/duplicate-decision.repository';

/** Takes decisions back: their groups are open again. Tags that were carried over stay. */
@Injectable()
export class UndoDecisionsUseCase {
  constructor(
    private readonly versions: VersionOpener,
    private readonly decidedRows: DecidedRowsCache,
    private readonly changes: AssignmentChanges,
    private readonly decisions: DuplicateDecisionRepository,
    private readonly audit: AuditLog,
  ) {}

  /** Returns how many were undone. */
  async undo(datasetId: string, choice: DecisionChoice, by: Principal): Promise<number> {
    let undone = 0;
    let known = 0;
    await this.changes.apply(datasetId, {
      operation: 'undo_duplicates',
      make: async (before, pointer) => {
        using version = await this.versions.open(pointer);
        const { decided, revision } = await this.decidedRows.open(datasetId, version.table);
        known = revision;
        const chosen = await this.decisions.choose(datasetId, choice);
        if (chosen.length === 0) throw new DecisionNotFoundError();
        return untagged(before, freedRows(chosen, decided));
      },
      commit: async () => {
        const { revision } = await this.decisions.latest(datasetId);
        if (revision !== known) return false;
        undone = await this.decisions.undo(datasetId, choice, revision + 1, new Date());
        await this.audit.recordBy(by, 'duplicates_undone', datasetId, { decisions: undone });
        return true;
      },
    });
    return undone;
  }
}

/** By tag, the rows that no other decision removes. */
function freedRows(
  chosen: readonly Pick<Decision, 'number' | 'tagId'>[],
  decided: DecidedRows,
): ReadonlyMap<string, readonly number[]> {
  const removals = new Map<number, number>();
  for (const { number } of chosen)
    for (const row of decided.get(number).removed) removals.set(row, (removals.get(row) ?? 0) + 1);
  const freed = new Map<string, number[]>();
  for (const { number, tagId } of chosen) {
    if (tagId === null) continue;
    const rows = freed.get(tagId) ?? [];
    for (const row of decided.get(number).removed) if (decided.removalsOf(row) === removals.get(row)) rows.push(row);
    freed.set(tagId, rows);
  }
  return freed;
}
