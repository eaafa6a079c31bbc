import { z } from 'zod';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { formatTimestamp, uuid, wholeNumber } from '../../../common/platform/http/query-values';
import { CHANGE_MODES } from '../domain/annotation-change';
import { MOST_SHOWN, type ListedChange } from '../history/annotation-history.reader';
import { annotationResponse, presentAnnotation } from './source.presenter';
import { MAX_SOURCE } from './source.schemas';

const MAX_EMAIL = 320;
const MAX_PER_PAGE = 100;

export const historyQuery = z.object({
  media_id: uuid
    .transform((id) => id.toLowerCase())
    .optional()
    .describe('Only changes of this image or frame.'),
  source: z.string().min(1).max(MAX_SOURCE).optional().describe('Only changes of this source.'),
  created_by: z.string().min(1).max(MAX_EMAIL).optional().describe('Only changes by the person with this address.'),
  queue_id: uuid.optional().describe('Only changes that came from this review queue.'),
  limit: wholeNumber(1, MAX_PER_PAGE).default(50).describe(`Per page, 1 to ${MAX_PER_PAGE}; default 50.`),
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, { error: 'Input should be the next_cursor of a page' })
    .transform(Number)
    .optional()
    .describe('`next_cursor` of the page before.'),
});
export type HistoryQuery = z.output<typeof historyQuery>;

const counts = { added: z.int(), changed: z.int(), removed: z.int() };

const changedMedium = z
  .object({
    media_id: z.uuid(),
    file_path: z.string(),
    before: z.array(annotationResponse).describe('Annotations that the change removed or replaced.'),
    after: z.array(annotationResponse).describe('Annotations that it made.'),
  })
  .meta({ id: 'ChangedMedium' });

const change = z
  .object({
    change_id: z.uuid(),
    source: z.string(),
    mode: z
      .enum(CHANGE_MODES)
      .describe('The mode of the request; `undo`; `import` of files; `rename` or `remove` of the whole source.'),
    created_at: z.string(),
    created_by: z.string(),
    queue_id: z.uuid().nullable().describe('The review queue that it came from.'),
    undoes: z.uuid().nullable().describe('The change that it undoes.'),
    undone_by: z.uuid().nullable().describe('The change that undid it.'),
    can_be_undone: z
      .boolean()
      .describe(
        'False for what was undone, and if only the counts are kept: of files, whole sources and very large changes.',
      ),
    ...counts,
    n_media: z.int().nullable().describe('Null if the media are not kept.'),
    media: z
      .array(changedMedium)
      .describe(`The medium of \`media_id\`, or up to ${MOST_SHOWN}, without those that the dataset no longer has.`),
  })
  .meta({
    id: 'AnnotationChange',
    example: {
      change_id: EXAMPLE.change,
      source: 'ground_truth',
      mode: 'merge',
      created_at: '2026-11-24T09:32:10.500000',
      created_by: 'ana@example.com',
      queue_id: null,
      undoes: null,
      undone_by: null,
      can_be_undone: true,
      added: 0,
      changed: 1,
      removed: 0,
      n_media: 1,
      media: [],
    },
  });

export const historyResponse = z
  .object({ changes: z.array(change), next_cursor: z.string().nullable().describe('Null on the last page.') })
  .meta({ id: 'AnnotationHistory', example: { next_cursor: null } });

export const presentChange = (listed: ListedChange): z.infer<typeof change> => ({
  change_id: listed.id,
  source: listed.source,
  mode: listed.mode,
  created_at: formatTimestamp(listed.createdAt),
  created_by: listed.createdBy,
  queue_id: listed.queueId,
  undoes: listed.undoes,
  undone_by: listed.undoneBy,
  can_be_undone: listed.hasContent && listed.undoneBy === null,
  added: listed.added,
  changed: listed.changed,
  removed: listed.removed,
  n_media: listed.nMedia,
  media: listed.pictures.map(({ mediaId, path, before, after }) => ({
    media_id: mediaId,
    file_path: path,
    before: before.map(presentAnnotation),
    after: after.map(presentAnnotation),
  })),
});

export const undoBody = z.strictObject({ change_id: uuid }).meta({ example: { change_id: EXAMPLE.change } });
export type UndoBody = z.output<typeof undoBody>;

export const undoResponse = z
  .object({ change_id: z.uuid().describe('The change that the undo is; its undo does the change again.'), ...counts })
  .meta({ id: 'AnnotationUndo', example: { change_id: EXAMPLE.otherChange, added: 0, changed: 1, removed: 0 } });
