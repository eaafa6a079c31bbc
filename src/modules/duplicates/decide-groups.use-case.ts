import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import type { DatasetPointer } from '../datasets';
import { parseClusterId, VersionOpener } from '../versions';
import { DecidedRowsCache } from './decided-rows.cache';
import {
  AlreadyRemovedError,
  DecidedMediaNotFoundError,
  GroupNotFoundError,
  type NewDecision,
} from './domain/decision';
import type { KeepRule } from './domain/keep-columns';
import { openGroups, proposalFor } from './domain/review';
import { DuplicateReview, type AskedGroups, type ReviewOfVersion } from './duplicate-review';
import {
  RecordDecisions,
  type DecisionOptions,
  type PlannedDecisions,
  type RecordedDecisions,
} from './record-decisions';
import { idsOfRows, rowsOfIds } from './rows-of-ids';

export interface ChosenGroups extends AskedGroups {
  readonly groupId: string | undefined;
  /** Whether groups in doubt are decided too, where no group is named. */
  readonly withDoubted: boolean;
}

/** Decides groups, by a user's choice or by a rule. */
@Injectable()
export class DecideGroupsUseCase {
  constructor(
    private readonly versions: VersionOpener,
    private readonly reviews: DuplicateReview,
    private readonly decidedRows: DecidedRowsCache,
    private readonly record: RecordDecisions,
  ) {}

  asGiven(
    datasetId: string,
    given: readonly NewDecision[],
    options: DecisionOptions,
    by: Principal,
  ): Promise<RecordedDecisions> {
    return this.record.record(datasetId, options, by, async (pointer) => {
      using version = await this.versions.open(pointer);
      const { decided, revision } = await this.decidedRows.open(datasetId, version.table);
      const ids = given.flatMap(({ kept, removed }) => [...kept, ...removed]);
      const rows = await rowsOfIds(version.table, new Set(ids));
      const unknown = ids.find((id) => !rows.has(id));
      if (unknown !== undefined) throw new DecidedMediaNotFoundError(unknown);
      const gone = given.flatMap(({ kept }) => kept).find((id) => decided.isRemoved(rows.get(id)!));
      if (gone !== undefined) throw new AlreadyRemovedError(gone);
      const rowsOf = (all: readonly string[]): number[] => all.map((id) => rows.get(id)!);
      return {
        rows: given.map(({ kept, removed }) => ({ kept: rowsOf(kept), removed: rowsOf(removed) })),
        decisions: () => given,
        revision,
      };
    });
  }

  /** All open groups, with or without those in doubt, or one of them. */
  byRule(
    datasetId: string,
    { groupId, withDoubted, ...asked }: ChosenGroups,
    rule: KeepRule,
    options: DecisionOptions,
    by: Principal,
  ): Promise<RecordedDecisions> {
    return this.record.record(datasetId, options, by, async (pointer) => {
      using version = await this.versions.open(pointer);
      const review = await this.reviews.of(datasetId, version, asked);
      const { open, certain } = await openGroups(review);
      if (groupId === undefined)
        return await this.planned(review, withDoubted ? open : open.subarray(0, certain), rule);
      const wanted = groupOf(pointer, groupId, review);
      const groups = open.filter((each) => each === wanted);
      if (groups.length === 0) throw new GroupNotFoundError();
      return await this.planned(review, groups, rule);
    });
  }

  private async planned(review: ReviewOfVersion, groups: Int32Array, rule: KeepRule): Promise<PlannedDecisions> {
    const order = await this.reviews.orderBy(review.version, rule);
    const rows = Array.from(groups, (group) => proposalFor(review, group, order, rule.name === 'all'));
    const all = Int32Array.from(rows.flatMap(({ kept, removed }) => [...kept, ...removed])).sort();
    const idOf = await idsOfRows(review.version.table, all);
    const idsOf = (of: Int32Array): string[] => Array.from(of, idOf);
    function* decisions(): Generator<NewDecision> {
      for (const { kept, removed } of rows) yield { kept: idsOf(kept), removed: idsOf(removed) };
    }
    return { rows, decisions, revision: review.revision };
  }
}

function groupOf(pointer: DatasetPointer, id: string, { groups }: ReviewOfVersion): number | undefined {
  const ref = parseClusterId(pointer, id);
  return ref !== undefined && 'centre' in ref ? groups.groupAround(ref.centre) : undefined;
}
