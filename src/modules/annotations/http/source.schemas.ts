import { z } from 'zod';
import { datasetPath, givenName, idList, uuid, wholeNumber } from '../../../common/platform/http/query-values';
import { ValidationFailedError } from '../../../common/platform/http/zod-validation.pipe';
import { withArea } from '../../../common/engine/annotations/shape-area';
import { MODEL_ID } from '../../../common/engine/models/model-manifest';
import { SOURCE_KINDS } from '../../versions';
import type { PictureEdits, SourceEdits } from '../change-source.use-case';
import { MAX_ANNOTATIONS } from '../domain/annotation';
import { GROUND_TRUTH } from '../../versions';
import { SOURCE_MODES, type Edit, type GivenAnnotation } from '../domain/source-change';
import { text } from './custom-metadata.schemas';
import { shape, shapeOf, type Size } from './shape.schemas';

const MAX_NAME = 4_096;
export const MAX_LABEL = 256;
export const MAX_SOURCE = 100;
const MAX_ID = 128;
const MAX_ATTRIBUTES = 50;
const MAX_VALUE = 500;
const MAX_PER_PAGE = 1_000;

const attributes = z.preprocess(
  (values, context) => {
    // Records leave it out.
    if (typeof values === 'object' && values !== null && Object.hasOwn(values, '__proto__'))
      context.addIssue('Input should have no attribute with the name __proto__');
    return values;
  },
  z
    .record(text(MAX_ID), z.union([z.string().max(MAX_VALUE), z.number(), z.boolean()]))
    .refine((values) => Object.keys(values).length <= MAX_ATTRIBUTES, {
      error: `Input should have at most ${MAX_ATTRIBUTES} attributes`,
    }),
);

const sourceName = text(MAX_SOURCE);

const newName = sourceName.refine((name) => name !== GROUND_TRUTH, {
  error: `Input should be another name: ${GROUND_TRUTH} is what people say`,
});

const said = z
  .strictObject({
    media_id: uuid.optional().describe('An image or a frame.'),
    file_name: z.string().min(1).max(MAX_NAME).optional().describe('Its path in the dataset, instead of its id.'),
    id: text(MAX_ID)
      .optional()
      .describe('Unique for its source in its picture; made for a new annotation if it is absent.'),
    label: text(MAX_LABEL).optional().describe('Needed except to delete.'),
    shape: shape.nullish().describe('Absent or null for a label of the whole picture.'),
    confidence: z.number().min(0).max(1).optional(),
    area: z.number().min(0).optional().describe('In square pixels, if it is not that of the shape.'),
    attributes: attributes.optional(),
    crowd: z.boolean().optional().describe('Stands for several things that are not told apart.'),
    ignored: z.boolean().optional().describe('Not counted in comparisons.'),
    track_id: text(MAX_ID).optional(),
    version: z
      .int()
      .min(1)
      .optional()
      .describe('The version that was seen: 409 if somebody has changed the annotation since.'),
  })
  .refine(({ media_id: id, file_name: name }) => (id === undefined) !== (name === undefined), {
    error: 'Input should have either media_id or file_name',
  })
  .meta({ id: 'GivenAnnotation' });
type Said = z.output<typeof said>;

export const sourceFields = {
  source: sourceName.describe('Whose annotations these are. A new name makes a new source.'),
  kind: z.enum(SOURCE_KINDS).default('predictions').describe('Of a new source; default `predictions`.'),
  model_id: z.string().regex(MODEL_ID).optional().describe('Of a new source: the model that found them.'),
};

export const sourceBody = z
  .strictObject({
    ...sourceFields,
    mode: z
      .enum(SOURCE_MODES, { error: `Input should be one of ${SOURCE_MODES.join(', ')}` })
      .default('add')
      .describe(
        '`add` leaves annotations with a known id as they are (default), `merge` changes them; `replace` first removes what the source said ' +
          'about the pictures of the request; `delete` removes by id, or all of a picture.',
      ),
    unit: z
      .enum(['pixels', 'fractions'])
      .default('pixels')
      .describe('Of the coordinates, in the upright picture; default `pixels`.'),
    annotations: z
      .array(said)
      .min(1, { error: 'Input should have an annotation' })
      .max(MAX_ANNOTATIONS, { error: `Input should have at most ${MAX_ANNOTATIONS} annotations` }),
  })
  .superRefine(({ mode, annotations }, context) => {
    annotations.forEach(({ label }, at) => {
      if (mode !== 'delete' && label === undefined)
        context.addIssue({ code: 'custom', path: ['annotations', at, 'label'], message: 'Field required' });
    });
  });
export type SourceBody = z.output<typeof sourceBody>;

/** The label is checked by the schema. */
function givenBy(
  { shape: of, label = '', crowd, ignored, track_id: trackId, ...rest }: Said,
  size: Size,
): GivenAnnotation {
  const { id, confidence, area, attributes: values, version } = rest;
  return {
    ...shapeOf(of, size),
    label,
    ...(id !== undefined && { id }),
    ...(confidence !== undefined && { confidence }),
    ...(area !== undefined && { area }),
    ...(values !== undefined && { attributes: values }),
    ...(crowd === true && { crowd }),
    ...(ignored === true && { ignored }),
    ...(trackId !== undefined && { trackId }),
    ...(version !== undefined && { version }),
  };
}

const WHOLE: Size = { width: 1, height: 1 };

export function editsIn({ source, kind, model_id: modelId, mode, unit, annotations }: SourceBody): SourceEdits {
  const pictures = annotations.map((each): PictureEdits => {
    const { media_id: mediaId, file_name: fileName = '' } = each;
    const editsFor = (size: Size): readonly Edit[] => {
      const given = withArea(givenBy(each, unit === 'fractions' ? size : WHOLE), size);
      if (mode === 'delete') return [{ kind: 'remove', given }];
      return [{ kind: mode === 'merge' ? 'merge' : 'add', given }];
    };
    const edits = unit === 'fractions' || each.shape?.type === 'mask' ? editsFor : editsFor(WHOLE);
    return { picture: mediaId === undefined ? { fileName } : { mediaId }, edits };
  });
  return { source, kind, modelId: modelId ?? null, mode, pictures };
}

export function unusableIfMatch(input: string): ValidationFailedError {
  const msg =
    'Input should be a version, in a request that merges or deletes one annotation by its id and has no version in its body';
  return new ValidationFailedError([{ type: 'invalid_format', loc: ['header', 'If-Match'], msg, input }]);
}

/** The version in the header If-Match stands for the one in the body. */
export function withVersion(body: SourceBody, ifMatch: string | undefined): SourceBody {
  if (ifMatch === undefined) return body;
  const version = Number(ifMatch.startsWith('"') && ifMatch.endsWith('"') ? ifMatch.slice(1, -1) : ifMatch);
  const [said, ...others] = body.annotations;
  const mayMatch = body.mode === 'merge' || body.mode === 'delete';
  const isOne = others.length === 0 && said?.id !== undefined && said.version === undefined;
  if (!(Number.isSafeInteger(version) && version >= 1) || !mayMatch || !isOne) throw unusableIfMatch(ifMatch);
  return { ...body, annotations: [{ ...said, version }] };
}

export const sourcePath = datasetPath.extend({
  source: z.string().min(1).max(MAX_SOURCE).meta({ description: 'The name of the source.', example: 'detector-a' }),
});
export type SourcePath = z.output<typeof sourcePath>;

export const renameBody = z.strictObject({ name: givenName.pipe(newName) }).meta({ example: { name: 'detector-b' } });
export type RenameBody = z.output<typeof renameBody>;

export const listQuery = z.object({
  snapshot_id: uuid.optional().describe('As they were in this snapshot.'),
  source: z.string().min(1).max(MAX_SOURCE).optional().describe('Only those of this source.'),
  label: z.string().min(1).max(MAX_LABEL).optional().describe('Only those with exactly this label.'),
  media_id: idList('Only those of these images or frames').optional(),
  limit: wholeNumber(1, MAX_PER_PAGE).default(100).describe(`Per page, 1 to ${MAX_PER_PAGE}; default 100.`),
  cursor: z.string().max(500).optional().describe('`next_cursor` of the page before.'),
});
export type ListQuery = z.output<typeof listQuery>;
