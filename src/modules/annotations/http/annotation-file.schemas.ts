import { z } from 'zod';
import { READABLE_FORMATS } from '../../../common/engine/annotation-formats/read-format';
import { ANNOTATION_FILE_NAMES } from '../../tables';
import { SOURCE_KINDS } from '../../versions';
import { ANNOTATION_MODES } from '../domain/annotation';
import { SOURCE_MODES } from '../domain/source-change';
import { mode } from './annotation.schemas';
import { sourceFields } from './source.schemas';

export const MAX_FILES = 1_000;

export const annotationFileForm = z.object({ mode });

export const sourceFileForm = z.object({
  ...sourceFields,
  mode: z.enum(SOURCE_MODES, { error: `Input should be one of ${SOURCE_MODES.join(', ')}` }).default('add'),
  format: z.enum(READABLE_FORMATS, { error: `Input should be one of ${READABLE_FORMATS.join(', ')}` }).optional(),
});

export const annotationFileFormDescription = {
  type: 'object',
  required: ['files'],
  properties: {
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
    mode: {
      type: 'string',
      enum: [...new Set([...ANNOTATION_MODES, ...SOURCE_MODES])],
      default: 'add',
      description:
        '`add` or `replace`. With a source also `merge`, which changes annotations with a known id, and `delete`, which removes those with the ' +
        'ids of the files; `replace` then replaces all of the source.',
    },
    files: {
      type: 'array',
      items: { type: 'string', format: 'binary' },
      description: `Each is named ${ANNOTATION_FILE_NAMES.join(', ')}; with a source, the files of a format, or archives with them.`,
    },
  },
};
