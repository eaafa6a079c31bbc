import { z } from 'zod';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { describedAs } from '../../../common/platform/http/description/described-as';
import { uuid } from '../../../common/platform/http/query-values';
import { sourceBody } from './source.schemas';
import { text, customMetadata } from './custom-metadata.schemas';
import { ANNOTATION_MODES, MAX_ANNOTATIONS } from '../domain/annotation';

const MAX_NAME = 4_096;
const MAX_LABEL = 256;
const MAX_LABELS = 100;
const MAX_CAPTION = 10_000;
const MAX_OBJECTS = 1_000;

const fraction = z.number().min(0).max(1);
const extent = fraction.refine((value) => value > 0, { error: 'Input should be greater than 0' });

const object = z.object({
  label: text(MAX_LABEL),
  bounding_box: z
    .object({ x: fraction, y: fraction, width: extent, height: extent })
    .describe('In fractions of the upright image.'),
  confidence: fraction.optional().describe('Of a prediction; absent for objects that people marked.'),
});

export const mode = z
  .enum(ANNOTATION_MODES, { error: `Input should be one of ${ANNOTATION_MODES.join(', ')}` })
  .default('add')
  .describe(
    'Whether labels and objects are added to those of the media, or replace those that people gave; default `add`. ' +
      'Predicted objects replace predicted ones.',
  );

const annotation = z
  .object({
    media_id: uuid
      .transform((id) => id.toLowerCase())
      .optional()
      .describe('An image, a frame or an object.'),
    file_name: text(MAX_NAME).optional().describe('The path of an image or frame in the dataset, instead of its id.'),
    labels: z.array(text(MAX_LABEL)).max(MAX_LABELS).optional().describe('Unchanged if absent.'),
    caption: text(MAX_CAPTION).nullable().optional().describe('Unchanged if absent, removed if null.'),
    objects: z.array(object).max(MAX_OBJECTS).optional().describe('Of an image or a frame. Unchanged if absent.'),
    metadata: customMetadata.optional(),
  })
  .refine(({ media_id: id, file_name: name }) => (id === undefined) !== (name === undefined), {
    error: 'Input should have either media_id or file_name',
  })
  .refine(
    ({ labels, caption, objects, metadata }) => [labels, caption, objects, metadata].some((each) => each !== undefined),
    {
      error: 'Input should have labels, a caption, objects or metadata',
    },
  )
  .meta({ id: 'MediaAnnotation' });

export const mediaBody = z
  .object({
    mode,
    annotations: z
      .array(annotation)
      .min(1, { error: 'Input should have an annotation' })
      .max(MAX_ANNOTATIONS, { error: `Input should have at most ${MAX_ANNOTATIONS} annotations` }),
  })
  .meta({
    example: {
      mode: 'add',
      annotations: [
        {
          media_id: EXAMPLE.media,
          labels: ['boat'],
          caption: 'Two boats next to a house',
          metadata: [{ field_name: 'site', value: 'north harbour' }],
          objects: [{ label: 'boat', bounding_box: { x: 0.1, y: 0.4, width: 0.25, height: 0.2 } }],
        },
      ],
    },
  });
export type MediaBody = z.output<typeof mediaBody>;

/** With the name of a source, the annotations are stored beside the table. */
export const annotationBody = describedAs(z.union([mediaBody, sourceBody]));

export const folderAnnotationBody = z
  .object({ mode })
  .strict()
  .meta({ example: { mode: 'add' } });
export type FolderAnnotationBody = z.output<typeof folderAnnotationBody>;

export const annotationResponse = z.object({ task_id: z.uuid() }).meta({ example: { task_id: EXAMPLE.task } });
