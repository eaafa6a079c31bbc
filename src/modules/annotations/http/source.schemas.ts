import { z } from 'zod';
import { type Annotation, SHAPE_KINDS, shapeKindOf, type Shape } from '../../../common/engine/annotations/annotation';
import { runsOf } from '../../../common/engine/annotations/mask-runs';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { datasetPath, formatTimestamp, givenName, uuid, wholeNumber } from '../../../common/platform/http/query-values';
import { MODEL_ID } from '../../../common/engine/models/model-manifest';
import { SOURCE_KINDS, type AnnotationSource } from '../../versions';
import type { PictureEdits, SourceEdits } from '../change-source.use-case';
import { MAX_ANNOTATIONS } from '../domain/annotation';
import { GROUND_TRUTH } from '../domain/source-errors';
import { SOURCE_MODES, type Edit, type GivenAnnotation } from '../domain/source-change';
import type { ListedAnnotation } from '../annotation-list.reader';
import { text } from './custom-metadata.schemas';

const MAX_NAME = 4_096;
const MAX_LABEL = 256;
const MAX_SOURCE = 100;
const MAX_ID = 128;
const MAX_ATTRIBUTES = 50;
const MAX_VALUE = 500;
const MAX_RINGS = 1_000;
const MAX_NUMBERS = 40_000;
const MAX_COUNTS = 1_000_000;
const MAX_SIDE = 65_535;
const MAX_COORDINATE = 1e7;
const MAX_PER_PAGE = 1_000;
const TRIPLE = 3;

const coordinate = z.number().min(-MAX_COORDINATE).max(MAX_COORDINATE);
const extent = coordinate.min(0);
const side = z.int().min(1).max(MAX_SIDE);

const isWhole = (part: number) => (numbers: readonly number[]) => numbers.length > 0 && numbers.length % part === 0;

const box = z.strictObject({
  type: z.literal('box'),
  x: coordinate,
  y: coordinate,
  width: extent,
  height: extent,
  rotation: z.number().min(-360).max(360).optional().describe('Degrees clockwise around the centre.'),
});

const polygon = z.strictObject({
  type: z.literal('polygon'),
  rings: z
    .array(
      z
        .array(coordinate)
        .min(6, { error: 'Input should have three points or more' })
        .max(MAX_NUMBERS)
        .refine(isWhole(2), { error: 'Input should have an x and a y for each point' }),
    )
    .min(1)
    .max(MAX_RINGS)
    .refine((rings) => rings.reduce((sum, ring) => sum + ring.length, 0) <= MAX_NUMBERS, {
      error: `Input should have at most ${MAX_NUMBERS / 2} points`,
    })
    .describe(
      'Alternating x and y. A point is inside if it is inside an odd number of rings, so a ring in another one is a hole.',
    ),
});

const mask = z
  .strictObject({
    type: z.literal('mask'),
    width: side,
    height: side,
    counts: z.string().max(MAX_COUNTS).describe('Run lengths as in the compressed texts of COCO.'),
  })
  .refine((given) => runsOf(given) !== undefined, {
    path: ['counts'],
    error: 'Input should be run lengths that fill the width and height, as COCO compresses them',
  });

const keypoints = z.strictObject({
  type: z.literal('keypoints'),
  points: z
    .array(coordinate)
    .max(MAX_NUMBERS)
    .refine(isWhole(TRIPLE), { error: 'Input should have x, y and visibility for each point' })
    .refine((points) => points.every((value, at) => at % TRIPLE !== 2 || [0, 1, 2].includes(value)), {
      error: 'Input should have a visibility of 0, 1 or 2 for each point',
    })
    .describe('x, y and visibility of each point: 0 not labelled, 1 hidden, 2 visible.'),
});

const shape = z.discriminatedUnion('type', [box, polygon, mask, keypoints]);
type GivenShape = z.output<typeof shape>;

const attributes = z
  .record(text(MAX_ID), z.union([z.string().max(MAX_VALUE), z.number(), z.boolean()]))
  .refine((values) => Object.keys(values).length <= MAX_ATTRIBUTES, {
    error: `Input should have at most ${MAX_ATTRIBUTES} attributes`,
  });

const sourceName = text(MAX_SOURCE).refine((name) => name !== GROUND_TRUTH, {
  error: `Input should be another name: ${GROUND_TRUTH} is what people gave without a source`,
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

export const sourceBody = z
  .strictObject({
    source: sourceName.describe('Whose annotations these are. A new name makes a new source.'),
    kind: z.enum(SOURCE_KINDS).default('predictions').describe('Of a new source; default `predictions`.'),
    model_id: z.string().regex(MODEL_ID).optional().describe('Of a new source: the model that found them.'),
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

type Size = { readonly width: number; readonly height: number };

function shapeOf(given: GivenShape | null | undefined, { width, height }: Size): Shape {
  switch (given?.type) {
    case undefined:
      return {};
    case 'box': {
      const { rotation } = given;
      const numbers = [given.x * width, given.y * height, given.width * width, given.height * height] as const;
      return { box: numbers, ...(rotation !== undefined && { rotation }) };
    }
    case 'polygon':
      return { polygon: given.rings.map((ring) => ring.map((value, at) => value * (at % 2 === 0 ? width : height))) };
    case 'mask':
      return { mask: { width: given.width, height: given.height, counts: given.counts } };
    case 'keypoints':
      return { keypoints: given.points.map((value, at) => value * ([width, height][at % TRIPLE] ?? 1)) };
  }
}

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
      const given = givenBy(each, size);
      if (mode === 'delete') return [{ kind: 'remove', given }];
      return [{ kind: mode === 'merge' ? 'merge' : 'add', given }];
    };
    const edits = unit === 'fractions' ? editsFor : editsFor(WHOLE);
    return { picture: mediaId === undefined ? { fileName } : { mediaId }, edits };
  });
  return { source, kind, modelId: modelId ?? null, replaces: mode === 'replace', pictures };
}

export const sourceOutcome = z
  .object({
    added: z.int(),
    changed: z.int(),
    removed: z.int(),
    unmatched: z.array(z.int()).describe('The positions of annotations whose picture the dataset does not have.'),
  })
  .meta({ id: 'SourceChange', example: { added: 2, changed: 0, removed: 0, unmatched: [] } });

const counts = Object.fromEntries(SHAPE_KINDS.map((kind) => [kind, z.int()])) as Record<
  (typeof SHAPE_KINDS)[number],
  z.ZodInt
>;
const { label: nLabels, box: nBoxes, polygon: nPolygons, mask: nMasks, keypoints: nKeypoints } = counts;

export const sourceResponse = z
  .object({
    name: z.string(),
    kind: z.enum(SOURCE_KINDS),
    model_id: z.string().nullable(),
    created_at: z.string(),
    n_labels: nLabels,
    n_boxes: nBoxes,
    n_polygons: nPolygons,
    n_masks: nMasks,
    n_keypoints: nKeypoints,
  })
  .meta({
    id: 'AnnotationSource',
    example: {
      name: 'detector-a',
      kind: 'predictions',
      model_id: null,
      created_at: '2026-11-24T09:32:10.500000',
      n_labels: 0,
      n_boxes: 4_120,
      n_polygons: 0,
      n_masks: 0,
      n_keypoints: 0,
    },
  });

export const sourcesResponse = z.object({ sources: z.array(sourceResponse) });

export const presentSource = ({ name, kind, modelId, createdAt, counts: of }: AnnotationSource) => ({
  name,
  kind,
  model_id: modelId,
  created_at: formatTimestamp(new Date(createdAt)),
  n_labels: of.label,
  n_boxes: of.box,
  n_polygons: of.polygon,
  n_masks: of.mask,
  n_keypoints: of.keypoints,
});

export const sourcePath = datasetPath.extend({
  source: z.string().min(1).max(MAX_SOURCE).meta({ description: 'The name of the source.', example: 'detector-a' }),
});
export type SourcePath = z.output<typeof sourcePath>;

export const renameBody = z
  .strictObject({ name: givenName.pipe(sourceName) })
  .meta({ example: { name: 'detector-b' } });
export type RenameBody = z.output<typeof renameBody>;

export const listQuery = z.object({
  snapshot_id: uuid.optional().describe('As they were in this snapshot.'),
  source: z.string().min(1).max(MAX_SOURCE).optional().describe('Only those of this source.'),
  label: z.string().min(1).max(MAX_LABEL).optional().describe('Only those with exactly this label.'),
  media_id: uuid.optional().describe('Only those of this image or frame.'),
  limit: wholeNumber(1, MAX_PER_PAGE).default(100).describe(`Per page, 1 to ${MAX_PER_PAGE}; default 100.`),
  cursor: z.string().max(500).optional().describe('`next_cursor` of the page before.'),
});
export type ListQuery = z.output<typeof listQuery>;

const annotationResponse = z
  .object({
    id: z.string(),
    media_id: z.uuid(),
    file_path: z.string(),
    source: z.string(),
    label: z.string(),
    shape: shape.nullable(),
    confidence: z.number().nullable(),
    area: z.number().nullable(),
    attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    crowd: z.boolean(),
    ignored: z.boolean(),
    track_id: z.string().nullable(),
    version: z.int(),
    created_by: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({
    id: 'Annotation',
    example: {
      id: 'b5d4a1f0-5b8e-4c55-9d7c-0a3a3a9f6c11',
      media_id: EXAMPLE.media,
      file_path: 'harbour/0001.jpg',
      source: 'detector-a',
      label: 'boat',
      shape: { type: 'box', x: 64, y: 192, width: 160, height: 96 },
      confidence: 0.83,
      area: null,
      attributes: { occluded: true },
      crowd: false,
      ignored: false,
      track_id: null,
      version: 1,
      created_by: 'ana@example.com',
      created_at: '2026-11-24T09:32:10.500000',
      updated_at: '2026-11-24T09:32:10.500000',
    },
  });

export const listResponse = z
  .object({
    annotations: z.array(annotationResponse),
    next_cursor: z.string().nullable().describe('Null on the last page.'),
    total: z.int().describe('On all pages.'),
  })
  .meta({ id: 'AnnotationPage', example: { next_cursor: null, total: 1 } });

function presentShape(annotation: Annotation): GivenShape | null {
  const { box: numbers, rotation, polygon: rings, mask: bitmap, keypoints: points } = annotation;
  switch (shapeKindOf(annotation)) {
    case 'label':
      return null;
    case 'box': {
      const [x, y, width, height] = numbers!;
      return { type: 'box', x, y, width, height, ...(rotation !== undefined && { rotation }) };
    }
    case 'polygon':
      return { type: 'polygon', rings: rings!.map((ring) => [...ring]) };
    case 'mask':
      return { type: 'mask', ...bitmap! };
    case 'keypoints':
      return { type: 'keypoints', points: [...points!] };
  }
}

export const presentAnnotation = ({ annotation, mediaId, path, source }: ListedAnnotation) => ({
  id: annotation.id,
  media_id: mediaId,
  file_path: path,
  source,
  label: annotation.label,
  shape: presentShape(annotation),
  confidence: annotation.confidence ?? null,
  area: annotation.area ?? null,
  attributes: { ...annotation.attributes },
  crowd: annotation.crowd === true,
  ignored: annotation.ignored === true,
  track_id: annotation.trackId ?? null,
  version: annotation.version,
  created_by: annotation.createdBy,
  created_at: formatTimestamp(new Date(annotation.createdAt)),
  updated_at: formatTimestamp(new Date(annotation.updatedAt)),
});
