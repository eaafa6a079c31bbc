import { z } from 'zod';
import { READABLE_FORMATS } from '../../../common/engine/annotation-formats/read-format';
import { ANNOTATION_FILE_NAMES } from '../../tables';
import { SOURCE_KINDS } from '../../versions';
import { ANNOTATION_MODES } from '../domain/annotation';
import { SOURCE_MODES } from '../domain/source-change';
import type { FilePreview } from '../files/file-preview';
import { mode } from './annotation.schemas';
import { presentShape, shape } from './shape.schemas';
import { sourceFields } from './source.schemas';

export const MAX_FILES = 1_000;

export const annotationFileForm = z.object({
  mode,
  preview: z.literal('false', { error: "Input should be false without the field 'source'" }).optional(),
});

const sourceFileObject = z.object({
  ...sourceFields,
  mode: z.enum(SOURCE_MODES, { error: `Input should be one of ${SOURCE_MODES.join(', ')}` }).default('add'),
  format: z.enum(READABLE_FORMATS, { error: `Input should be one of ${READABLE_FORMATS.join(', ')}` }).optional(),
});

const toSourceImport = <T extends z.output<typeof sourceFileObject>>(fields: T) => {
  const { model_id: modelId, format, ...rest } = fields;
  return { ...rest, modelId: modelId ?? null, format: format ?? null };
};

export const sourceImportForm = sourceFileObject.transform(toSourceImport);

export const sourceFileForm = sourceFileObject
  .extend({
    preview: z
      .enum(['true', 'false'], { error: 'Input should be true or false' })
      .default('false')
      .transform((value) => value === 'true'),
  })
  .transform(toSourceImport);

/** Of one file of a preview. */
export const MAX_PREVIEW_BYTES = 64 * 1024 * 1024;

const previewedAnnotation = z
  .object({
    file_path: z.string().describe('As the file has it.'),
    matches: z.boolean().describe('Whether the dataset has the picture.'),
    id: z.string().nullable(),
    label: z.string(),
    shape: shape.nullable(),
    unit: z.enum(['pixels', 'fractions']).describe('Of the coordinates.'),
    confidence: z.number().nullable(),
    attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    crowd: z.boolean(),
    ignored: z.boolean(),
    track_id: z.string().nullable(),
  })
  .meta({ id: 'PreviewedAnnotation' });

export const filePreviewResponse = z
  .object({
    format: z.enum(READABLE_FORMATS),
    annotations: z.int().describe('How many can be stored.'),
    pictures: z.int().describe('How many pictures they name.'),
    is_complete: z.boolean().describe('Whether all was read; of many annotations only the first are.'),
    first: z.array(previewedAnnotation),
    unmatched: z
      .object({ count: z.int(), names: z.array(z.string()) })
      .describe('The annotations of pictures that the dataset does not have, and some names of these.'),
    faults: z.array(z.string()).describe('What would be left out, and why.'),
  })
  .meta({
    id: 'AnnotationFilePreview',
    example: {
      format: 'coco',
      annotations: 1,
      pictures: 1,
      is_complete: true,
      first: [
        {
          file_path: 'harbour/0001.jpg',
          matches: true,
          id: '11',
          label: 'boat',
          shape: { type: 'box', x: 64, y: 192, width: 160, height: 96 },
          unit: 'pixels',
          confidence: 0.83,
          attributes: {},
          crowd: false,
          ignored: false,
          track_id: null,
        },
      ],
      unmatched: { count: 0, names: [] },
      faults: ['results.json, entry 6 is left out: box: a coordinate is not a number of pixels.'],
    },
  });

export const presentFilePreview = (preview: FilePreview): z.infer<typeof filePreviewResponse> => ({
  format: preview.format,
  annotations: preview.annotations,
  pictures: preview.pictures,
  is_complete: preview.isComplete,
  first: preview.first.map(({ path, matches, annotation }) => ({
    file_path: path,
    matches,
    id: annotation.id ?? null,
    label: annotation.label,
    shape: presentShape(annotation),
    unit: annotation.unit ?? 'pixels',
    confidence: annotation.confidence ?? null,
    attributes: { ...annotation.attributes },
    crowd: annotation.crowd === true,
    ignored: annotation.ignored === true,
    track_id: annotation.trackId ?? null,
  })),
  unmatched: { ...preview.unmatched, names: [...preview.unmatched.names] },
  faults: [...preview.faults],
});

/** Of a form with files for a source. */
export const sourceFileFields = {
  source: {
    type: 'string',
    description: 'The source that the annotations go into; a new name makes a new source. It comes before the files.',
  },
  kind: { type: 'string', enum: [...SOURCE_KINDS], default: 'predictions', description: 'Of a new source.' },
  model_id: { type: 'string', description: 'Of a new source: the model that found the annotations.' },
  format: {
    type: 'string',
    enum: [...READABLE_FORMATS],
    description: 'With a source: the format of the files; told by their content if absent.',
  },
};

export const annotationFileFormDescription = {
  type: 'object',
  required: ['files'],
  properties: {
    ...sourceFileFields,
    mode: {
      type: 'string',
      enum: [...new Set([...ANNOTATION_MODES, ...SOURCE_MODES])],
      default: 'add',
      description:
        '`add` or `replace`. With a source also `merge`, which changes annotations with a known id, and `delete`, which removes those with the ' +
        'ids of the files; `replace` then replaces all of the source.',
    },
    preview: {
      type: 'string',
      enum: ['true', 'false'],
      default: 'false',
      description:
        'With a source: `true` answers 200 with what the files have, and changes nothing. It comes before the files.',
    },
    files: {
      type: 'array',
      items: { type: 'string', format: 'binary' },
      description: `Each is named ${ANNOTATION_FILE_NAMES.join(', ')}; with a source, the files of a format, or archives with them.`,
    },
  },
};
