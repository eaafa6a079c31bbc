import { z } from 'zod';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { booleanText, uuid, rejectRepeated } from '../../../../common/platform/http/query-values';
import { MOST_OBJECTS } from '../media-list.service';
import { snapshotParameter } from '../../query/http/search-parameters';
import { previewExample, previewSchema } from '../../explore/http/search-result.schema';
import { sourceFields, sourcesExample } from './sources.presenter';
import { valueFields, valuesExample } from './values.presenter';

const MOST_IDS = 100;
const UUID_LENGTH = 36;
const TOO_MANY = `Input should have at most ${MOST_IDS} ids`;

const mediaIds = z
  .string()
  .max(MOST_IDS * (UUID_LENGTH + 1), { error: TOO_MANY, abort: true })
  .transform((text) => text.toLowerCase().split(','))
  .pipe(z.array(uuid).max(MOST_IDS, { error: TOO_MANY }))
  .meta({
    type: 'string',
    description: `Ids of images, frames, objects and videos, 1 to ${MOST_IDS}, with commas.`,
    example: `${EXAMPLE.media},${EXAMPLE.otherMedia}`,
  });

export const listQuery = z.preprocess(
  rejectRepeated,
  z.object({
    media_ids: mediaIds,
    snapshot_id: snapshotParameter,
    with_objects: booleanText.default(false).describe('Also the objects on each picture.'),
    with_values: booleanText.default(false).describe('Also the measures of each, and the values of custom fields.'),
  }),
);

export const listedObject = z.object({
  media_id: z.string(),
  bounding_box: previewSchema.shape.bounding_box,
  caption: z.string().nullable(),
  ...sourceFields,
});

const listedMedia = previewSchema
  .extend({
    ...sourceFields,
    n_objects: z.int().optional().describe('Objects on the picture; with `with_objects` only.'),
    objects: z
      .array(listedObject)
      .optional()
      .describe(`Up to ${MOST_OBJECTS} of the objects on the picture; with \`with_objects\` only.`),
    values: z
      .object(valueFields)
      .optional()
      .describe('The measures, and the values of custom fields; with `with_values` only.'),
  })
  .meta({
    id: 'ListedMedia',
    example: {
      ...previewExample,
      ...sourcesExample,
      values: valuesExample,
      n_objects: 1,
      objects: [
        {
          media_id: EXAMPLE.otherMedia,
          bounding_box: { x: 0.25, y: 0.5, width: 0.2, height: 0.25 },
          caption: null,
          caption_source: null,
          generated_caption: null,
          label_sources: [{ label: 'boat', source: 'objects-v1', confidence: 0.93 }],
        },
      ],
    },
  });

export const mediaListResult = z
  .object({
    media: z
      .array(listedMedia)
      .describe('In the order asked for. Ids that this state of the dataset does not have are left out.'),
  })
  .meta({ id: 'MediaList' });
