import { Injectable } from '@nestjs/common';
import { assertCallerWaits } from '../../common/platform/concurrency/caller-gone';
import type { MediaRow } from '../../common/engine/media-table/media-row';
import type { MediaField } from '../../common/engine/media-table/media-schema';
import type { DatasetPointer } from '../datasets';
import { readPreviews, type Preview } from '../search';
import {
  clusterId,
  similarityOf,
  VersionOpener,
  type GroupDoubt,
  type OpenedVersion,
  type PublishedState,
} from '../versions';
import type { KeepRule } from './domain/keep-columns';
import { effectOn, openGroups, proposalFor, type Proposal, type RuleEffect } from './domain/review';
import { DuplicateReview, type AskedGroups, type ReviewOfVersion } from './duplicate-review';

const MOST_OF_GROUP = 100;
const MOST_OF_PAGE = 1000;

const FIELDS = ['sizeBytes', 'sharpness', 'sha256', 'batchId', 'mimeType', 'embedding'] as const satisfies MediaField[];

export interface ReviewedMember {
  readonly preview: Preview;
  readonly row: Pick<MediaRow, Exclude<(typeof FIELDS)[number], 'embedding'>>;
  readonly addedAt: Date | null;
  /** To the first member, which the rule keeps; 1 for the same bytes. */
  readonly similarity: number | null;
  readonly isKept: boolean;
}

export interface ReviewedGroup {
  readonly id: string;
  readonly size: number;
  readonly doubt: GroupDoubt | null;
  /** The kept ones first. At most a hundred, and fewer if the groups of a page have many in total. */
  readonly members: readonly ReviewedMember[];
}

export interface GroupsPage {
  /** Decided or not. */
  readonly total: number;
  readonly open: number;
  readonly groups: readonly ReviewedGroup[];
}

/** The effect of a rule on all open groups. Bytes are those of the files of removed images; frames and objects are parts of files. */
export interface Overview {
  readonly total: number;
  readonly open: number;
  readonly certain: RuleEffect;
  readonly inDoubt: RuleEffect & { readonly groups: number };
}

const NO_EFFECT: RuleEffect = { kept: 0, removed: 0, bytes: 0 };
const NO_GROUPS: GroupsPage = { total: 0, open: 0, groups: [] };
const NO_OVERVIEW: Overview = { total: 0, open: 0, certain: NO_EFFECT, inDoubt: { ...NO_EFFECT, groups: 0 } };

@Injectable()
export class DuplicateGroupsReader {
  constructor(
    private readonly versions: VersionOpener,
    private readonly reviews: DuplicateReview,
  ) {}

  async page(
    { datasetId, pointer }: PublishedState,
    asked: AskedGroups,
    rule: KeepRule,
    { page, limit }: { readonly page: number; readonly limit: number },
  ): Promise<GroupsPage> {
    if (pointer === null) return NO_GROUPS;
    using version = await this.versions.open(pointer);
    const review = await this.reviews.of(datasetId, version, asked);
    const { total, open } = await openGroups(review);
    const shown = open.subarray(page * limit, (page + 1) * limit);
    const order = await this.reviews.orderBy(version, rule);
    const proposals = Array.from(shown, (group) => proposalFor(review, group, order, rule.name === 'all'));
    assertCallerWaits();
    return { total, open: open.length, groups: await this.describe(review, proposals, asked.similarity) };
  }

  async overview({ datasetId, pointer }: PublishedState, asked: AskedGroups, rule: KeepRule): Promise<Overview> {
    if (pointer === null) return NO_OVERVIEW;
    using version = await this.versions.open(pointer);
    const review = await this.reviews.of(datasetId, version, asked);
    const { total, open, certain } = await openGroups(review);
    const order = await this.reviews.orderBy(version, rule);
    const { size } = await version.measures();
    const effect = (groups: Int32Array): Promise<RuleEffect> =>
      effectOn(review, groups, { order, isForAll: rule.name === 'all' }, (row) =>
        version.index.kindOf(row) === 'IMAGE' ? size[row]! : 0,
      );
    return {
      total,
      open: open.length,
      certain: await effect(open.subarray(0, certain)),
      inDoubt: { groups: open.length - certain, ...(await effect(open.subarray(certain))) },
    };
  }

  private async describe(
    { version, groups }: ReviewOfVersion,
    proposals: readonly Proposal[],
    similarity: number,
  ): Promise<ReviewedGroup[]> {
    const most = membersShown(proposals.map(({ kept, removed }) => kept.length + removed.length));
    const rows = proposals.map(({ kept, removed }) => [...kept, ...removed].slice(0, most));
    const members = await this.members(version, rows);
    return proposals.map(({ group, kept, removed }, at) => ({
      id: clusterId(version.pointer, { entityType: 'IMAGES', similarity, centre: groups.centre[group]! }),
      size: kept.length + removed.length,
      doubt: groups.doubt(group),
      members: members[at]!.map((member, place) => ({ ...member, isKept: place < kept.length })),
    }));
  }

  /** Each list is compared with its first row. */
  async members(
    version: OpenedVersion,
    lists: readonly (readonly number[])[],
  ): Promise<Omit<ReviewedMember, 'isKept'>[][]> {
    const all = lists.flat();
    const [previews, taken] = await Promise.all([
      readPreviews(
        version,
        lists.map((rows) => rows.map((ordinal) => ({ ordinal, score: null }))),
      ),
      version.table.takeRows(all, FIELDS),
    ]);
    const times = await this.reviews.batchTimes([...new Set(taken.map(({ batchId }) => batchId))]);
    let next = 0;
    return previews.map((list) => {
      const first = taken[next];
      return list.map((preview) => {
        const { embedding, ...row } = taken[next++]!;
        const isSame = row.sha256 === first?.sha256;
        const similarity = isSame ? 1 : similarityBy(version.pointer, embedding, first?.embedding ?? null);
        return { preview, row, similarity, addedAt: times.get(row.batchId) ?? null };
      });
    });
  }
}

/** Of vectors of unit length. */
function similarityBy(
  { nearDuplicates }: Pick<DatasetPointer, 'nearDuplicates'>,
  a: Float32Array | null,
  b: Float32Array | null,
): number | null {
  if (a === null || b === null) return null;
  const cosine = a.reduce((sum, value, at) => sum + value * b[at]!, 0);
  return similarityOf(Math.min(1, cosine), nearDuplicates);
}

/** How many members of each group a page has room for; large groups are cut to the same number. */
export function membersShown(sizes: readonly number[]): number {
  let most = MOST_OF_GROUP;
  const shown = (): number => sizes.reduce((sum, size) => sum + Math.min(size, most), 0);
  while (shown() > MOST_OF_PAGE) most -= 1;
  return most;
}
