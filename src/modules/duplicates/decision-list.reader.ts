import { Injectable } from '@nestjs/common';
import { VersionOpener, type PublishedState } from '../versions';
import type { Decision } from './domain/decision';
import { DuplicateGroupsReader, type ReviewedMember } from './duplicate-groups.reader';
import { DuplicateDecisionRepository } from './persistence/duplicate-decision.repository';
import { rowsOfIds } from './rows-of-ids';

export interface ShownDecision {
  readonly decision: Decision;
  /** Its media that are in the dataset, the kept ones first; at most twenty. */
  readonly members: readonly ReviewedMember[];
}

const MOST_MEMBERS = 20;

/** The decisions in force, the newest first. */
@Injectable()
export class DecisionListReader {
  constructor(
    private readonly decisions: DuplicateDecisionRepository,
    private readonly versions: VersionOpener,
    private readonly groups: DuplicateGroupsReader,
  ) {}

  async page(
    { datasetId, pointer }: PublishedState,
    { page, limit }: { readonly page: number; readonly limit: number },
  ): Promise<{ readonly total: number; readonly shown: readonly ShownDecision[] }> {
    const { all, total } = await this.decisions.page(datasetId, page, limit);
    if (pointer === null) return { total, shown: all.map((decision) => ({ decision, members: [] })) };
    using version = await this.versions.open(pointer);
    const ids = all.map(({ kept, removed }) => [...kept, ...removed].slice(0, MOST_MEMBERS));
    const rows = await rowsOfIds(version.table, new Set(ids.flat()));
    const known = ids.map((list) => list.filter((id) => rows.has(id)));
    const members = await this.groups.members(
      version,
      known.map((list) => list.map((id) => rows.get(id)!)),
    );
    return {
      total,
      shown: all.map((decision, at) => {
        const kept = new Set(decision.kept);
        return {
          decision,
          members: members[at]!.map((member, i) => ({ ...member, isKept: kept.has(known[at]![i]!) })),
        };
      }),
    };
  }
}
