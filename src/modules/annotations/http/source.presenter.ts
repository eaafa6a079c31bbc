import { z } from 'zod';
import { SHAPE_KINDS } from '../../../common/engine/annotations/annotation';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { formatTimestamp } from '../../../common/platform/http/query-values';
import { SOURCE_KINDS, type AnnotationSource } from '../../versions';
import type { ListedAnnotation } from '../domain/listed-annotation';
import { MOST_CONFLICTS, type AnnotationChangedError } from '../domain/source-errors';
import { presentShape, shape } from './shape.schemas';

export const sourceOutcome = z
  .object({
    added: z.int(),
    changed: z.int(),
    removed: z.int(),
    unmatched: z.array(z.int()).describe('The positions of annotations whose picture the dataset does not have.'),
    change_id: z.uuid().nullable().describe('For its undo; null if nothing changed.'),
  })
  .meta({
    id: 'SourceChange',
    example: { added: 2, changed: 0, removed: 0, unmatched: [], change_id: EXAMPLE.change },
  });

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
    created_at: z.string().nullable(),
    n_labels: nLabels,
    n_boxes: nBoxes,
    n_polygons: nPolygons,
    n_masks: nMasks,
    n_keypoints: nKeypoints,
    skeletons: z
      .array(z.object({ label: z.string(), points: z.array(z.string()), edges: z.array(z.array(z.int())) }))
      .describe('Names of the keypoints of labels, and which are connected, by their numbers from 0.'),
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
      skeletons: [],
    },
  });

export const sourcesResponse = z.object({ sources: z.array(sourceResponse) });

const timestampOf = (time: string | null | undefined): string | null =>
  time === null || time === undefined ? null : formatTimestamp(new Date(time));

export const presentSource = ({ name, kind, modelId, createdAt, counts: of, skeletons = [] }: AnnotationSource) => ({
  name,
  kind,
  model_id: modelId,
  created_at: timestampOf(createdAt),
  n_labels: of.label,
  n_boxes: of.box,
  n_polygons: of.polygon,
  n_masks: of.mask,
  n_keypoints: of.keypoints,
  skeletons: skeletons.map(({ label, points, edges }) => ({
    label,
    points: [...points],
    edges: edges.map((edge) => [...edge]),
  })),
});

export const annotationResponse = z
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
    version: z.int().describe('Another one after each change, also if an annotation is removed and added again.'),
    created_by: z
      .string()
      .nullable()
      .describe('Null, as the times, for what was said before annotations had an author.'),
    created_at: z.string().nullable(),
    updated_at: z.string().nullable(),
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
      version: 1795512730500,
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
  created_by: annotation.createdBy ?? null,
  created_at: timestampOf(annotation.createdAt),
  updated_at: timestampOf(annotation.updatedAt),
});

export const conflictResponse = z
  .object({
    detail: z.string(),
    reason: z.string().optional(),
    conflicts: z
      .array(
        z
          .object({
            id: z.string(),
            media_id: z.uuid(),
            sent_version: z.int(),
            current: annotationResponse.nullable().describe('As it is stored; null if it was removed.'),
          })
          .meta({ id: 'AnnotationConflict' }),
      )
      .optional()
      .describe(`Annotations that somebody else changed since, up to ${MOST_CONFLICTS}.`),
  })
  .meta({
    id: 'AnnotationsChanged',
    example: {
      detail: "Annotation 'a' was removed since version 1795512730500. Nothing was changed.",
      conflicts: [{ id: 'a', media_id: EXAMPLE.media, sent_version: 1795512730500, current: null }],
    },
  });

export const presentConflicts = ({ detail, conflicts }: AnnotationChangedError) => ({
  detail,
  conflicts: conflicts.map(({ id, mediaId, sent, current }) => ({
    id,
    media_id: mediaId,
    sent_version: sent,
    current: current && presentAnnotation(current),
  })),
});
