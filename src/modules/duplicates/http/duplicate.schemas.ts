import { z } from 'zod';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import {
  datasetPath,
  uuid,
  wholeNumber,
  formatTimestamp,
  formatTimestampOrNull,
} from '../../../common/platform/http/query-values';
import { groupDoubt, previewExample, previewSchema, presentPreview, rowsShown, type MediaUrls } from '../../search';
import type { ShownDecision } from '../decision-list.reader';
import type { ReviewedMember } from '../duplicate-groups.reader';

const UNRANKED = { relevance_score: null, relevance_score_type: null };

export const presentDecision = (
  { decision, members }: ShownDecision,
  present: (member: ReviewedMember) => PresentedMember,
) => ({
  decision_id: decision.id,
  batch_id: decision.batchId,
  kind: decision.removed.length === 0 ? ('DIFFERENT' as const) : ('SETTLED' as const),
  decided_by: decision.decidedBy,
  decided_at: formatTimestamp(decision.decidedAt),
  n_kept: decision.kept.length,
  n_removed: decision.removed.length,
  members: members.map(present),
});

export { datasetPath };
export type DatasetPath = z.output<typeof datasetPath>;

const MOST_PER_PAGE = 100;
const MOST_PAGES = 1_000_000;

export const pageFields = {
  page_number: wholeNumber(0, MOST_PAGES).default(0).describe('From 0.'),
  limit: wholeNumber(1, MOST_PER_PAGE).default(20).describe(`Per page, 1 to ${MOST_PER_PAGE}; default 20.`),
};

export const pageQuery = z.object(pageFields);
export type PageQuery = z.output<typeof pageQuery>;

const member = previewSchema
  .extend({
    role: z.enum(['KEPT', 'REMOVED']),
    size_bytes: z.int(),
    mime_type: z.string(),
    sha256: z.string(),
    sharpness: z.number().nullable().describe('Variance of the Laplacian.'),
    added_at: z.string().nullable().describe('When the batch of the medium was added; null if that is not known.'),
    similarity: z
      .number()
      .nullable()
      .describe('To the first member, on the scale of `duplicate_threshold`; 1 for files with the same bytes.'),
  })
  .meta({
    id: 'DuplicateMember',
    example: {
      ...previewExample,
      role: 'KEPT',
      size_bytes: 482_113,
      mime_type: 'image/jpeg',
      sha256: '6e34a5c1b1a8f4d3c5ba7fd08d3a5ab1f2a9c3b4d5e6f708192a3b4c5d6e7f80',
      sharpness: 812.4,
      added_at: '2026-11-20T09:31:00.000000',
      similarity: 1,
    },
  });
export type PresentedMember = z.infer<typeof member>;

const counts = {
  total_groups: z.int().describe('Decided or not.'),
  open_groups: z.int(),
};

const group = z
  .object({
    group_id: z.uuid().describe('Also the id of the cluster that explore shows at this similarity.'),
    n_members: z.int(),
    doubt: groupDoubt,
    members: z
      .array(member)
      .describe('The media that the rule keeps first; at most a hundred, and a thousand of all groups of a page.'),
  })
  .meta({ id: 'DuplicateGroup', example: { group_id: EXAMPLE.cluster, n_members: 1, doubt: null } });

export const groupsResult = z
  .object({
    ...counts,
    groups: z.array(group),
    total_pages: z.int(),
    current_page: z.int(),
  })
  .meta({
    id: 'DuplicateGroups',
    example: { total_groups: 12, open_groups: 9, total_pages: 1, current_page: 0 },
  });

const effectFields = {
  kept: z.int(),
  removed: z.int(),
  removed_bytes: z.int().describe('The size of the files of the removed images.'),
};

export const overviewResult = z
  .object({
    ...counts,
    ...effectFields,
    doubtful: z
      .object({ groups: z.int(), ...effectFields })
      .describe('The effect of the rule on groups in doubt (`doubt`), which the other figures do not include.'),
  })
  .meta({
    id: 'DuplicateOverview',
    example: {
      total_groups: 12,
      open_groups: 9,
      kept: 8,
      removed: 9,
      removed_bytes: 5_303_243,
      doubtful: { groups: 1, kept: 1, removed: 11, removed_bytes: 4_110_822 },
    },
  });

export const decisionsResult = z
  .object({
    total: z.int(),
    decisions: z.array(
      z.object({
        decision_id: z.uuid(),
        batch_id: z.uuid().describe('Decisions that were made together.'),
        kind: z.enum(['SETTLED', 'DIFFERENT']).describe('DIFFERENT if all media stay.'),
        decided_by: z.string().describe('E-mail address.'),
        decided_at: z.string(),
        n_kept: z.int(),
        n_removed: z.int(),
        members: z.array(member).describe('Those that the dataset has; at most twenty.'),
      }),
    ),
    total_pages: z.int(),
    current_page: z.int(),
  })
  .meta({
    id: 'DuplicateDecisions',
    example: {
      total: 1,
      decisions: [
        {
          decision_id: '1c1d8a3e-52c4-4b61-9d0e-7f3f1a2b4c5d',
          batch_id: EXAMPLE.batch,
          kind: 'SETTLED',
          decided_by: 'ana@example.com',
          decided_at: '2026-11-24T10:15:00.000000',
          n_kept: 1,
          n_removed: 1,
          members: [],
        },
      ],
      total_pages: 1,
      current_page: 0,
    },
  });

export const recordedResult = z
  .object({
    batch_id: z.uuid().describe('Undoes these decisions together.'),
    decisions: z.int(),
    kept: z.int(),
    removed: z.int(),
  })
  .meta({ id: 'RecordedDecisions', example: { batch_id: EXAMPLE.batch, decisions: 1, kept: 1, removed: 1 } });

export const undoQuery = z
  .object({
    decision_id: uuid
      .transform((id) => id.toLowerCase())
      .optional()
      .describe('The decision to undo.'),
    batch_id: uuid
      .transform((id) => id.toLowerCase())
      .optional()
      .describe('The decisions to undo, which were made together.')
      .meta({ example: EXAMPLE.batch }),
  })
  .transform((values, context) => {
    const { decision_id: id, batch_id: batchId } = values;
    if (id !== undefined && batchId === undefined) return { id };
    if (batchId !== undefined && id === undefined) return { batchId };
    context.addIssue({
      code: 'custom',
      path: ['decision_id'],
      message: 'Input should have either decision_id or batch_id',
    });
    return z.NEVER;
  });

export const undoneResult = z.object({ count: z.int() }).meta({ example: { count: 1 } });

export const carriedResult = z
  .object({
    task_id: z.uuid().nullable().describe('Null if nothing is missing.'),
    media: z.int().describe('How many media get labels or a caption.'),
    has_more: z.boolean().describe('Whether to start again afterwards: a task carries to at most 100,000 media.'),
  })
  .meta({ example: { task_id: EXAMPLE.task, media: 3, has_more: false } });

/** Presents members of several groups; their addresses are made together. */
export async function memberPresenter(
  lists: readonly (readonly ReviewedMember[])[],
  urls: MediaUrls,
  names: ReadonlyMap<string, string>,
): Promise<(member: ReviewedMember) => PresentedMember> {
  const addresses = await urls.of(rowsShown(lists.flat().map(({ preview }) => preview)));
  return ({ preview, row, addedAt, similarity, isKept }) => ({
    ...presentPreview(preview, UNRANKED, addresses, names),
    role: isKept ? 'KEPT' : 'REMOVED',
    size_bytes: row.sizeBytes,
    mime_type: row.mimeType,
    sha256: row.sha256,
    sharpness: row.sharpness,
    added_at: formatTimestampOrNull(addedAt),
    similarity,
  });
}
