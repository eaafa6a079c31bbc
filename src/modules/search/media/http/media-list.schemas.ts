import { z } from 'zod';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { booleanText, idList, rejectRepeated } from '../../../../common/platform/http/query-values';
import { MOST_OBJECTS, type ListedMedia, type ListedObjects } from '../media-list.service';
import { snapshotParameter } from '../../query/http/search-parameters';
import { previewExample, previewSchema } from '../../explore/http/search-result.schema';
import {
  sourceFields,
  sourcesExample,
  captionSource,
  labelSources,
  textExample,
  textFields,
  valueFields,
  valuesExample,
  presentText,
  presentValues,
} from './values.presenter';
import { shownCaption } from '../../../../common/engine/media-table/media-row';
import type { MediaUrls } from '../signed-media-urls';
import { presentPreview, rowsShown, type TagNames } from './preview.presenter';

const presentObjects = ({ shown, models }: ListedObjects): z.infer<typeof listedObject>[] =>
  shown.map((row) => ({
    media_id: row.id,
    bounding_box: row.box,
    caption: shownCaption(row),
    caption_source: captionSource(row, models.captionModel),
    generated_caption: row.generatedCaption,
    label_sources: labelSources(row, models),
  }));

export const listQuery = z.preprocess(
  rejectRepeated,
  z.object({
    media_ids: idList('Ids of images, frames, objects and videos'),
    snapshot_id: snapshotParameter,
    with_objects: booleanText.default(false).describe('Also the objects on each picture.'),
    with_text: booleanText.default(false).describe('Also the lines of text in each picture.'),
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
    text: z.object(textFields).optional().describe('The lines of text in the picture; with `with_text` only.'),
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
      text: textExample,
      values: valuesExample,
      n_objects: 1,
      objects: [
        {
          media_id: EXAMPLE.otherMedia,
          bounding_box: { x: 0.25, y: 0.5, width: 0.2, height: 0.25 },
          caption: null,
          caption_source: null,
          generated_caption: null,
          label_sources: [{ label: 'boat', source: 'objects-v1', annotation_source: 'objects-v1', confidence: 0.93 }],
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

export async function presentMediaList(
  found: readonly ListedMedia[],
  urls: MediaUrls,
  names: TagNames,
): Promise<z.infer<typeof mediaListResult>> {
  const addresses = await urls.of(rowsShown(found.map(({ preview }) => preview)));
  return {
    media: found.map(({ preview, row, models, objects, text, values }) => ({
      ...presentPreview(preview, {}, addresses, names),
      caption_source: captionSource(preview.row, models.captionModel),
      generated_caption: preview.row.generatedCaption,
      label_sources: labelSources(row, models),
      ...(objects === undefined ? {} : { n_objects: objects.count, objects: presentObjects(objects) }),
      ...(text === undefined ? {} : { text: presentText(text, models.textModel) }),
      ...(values === undefined ? {} : { values: presentValues(values) }),
    })),
  };
}
