import type { z } from 'zod';
import { shownCaption } from '../../../../common/engine/media-table/media-row';
import type { ListedMedia, ListedObjects } from '../media-list.service';
import type { MediaUrls } from '../media-urls';
import type { listedObject, mediaListResult } from './media-list.schemas';
import { presentPreview, rowsShown, type TagNames } from './preview.presenter';
import { captionSource, labelSources } from './sources.presenter';
import { presentValues } from './values.presenter';

export async function presentMediaList(
  found: readonly ListedMedia[],
  urls: MediaUrls,
  names: TagNames,
): Promise<z.infer<typeof mediaListResult>> {
  const addresses = await urls.of(rowsShown(found.map(({ preview }) => preview)));
  return {
    media: found.map(({ preview, row, models, objects, values }) => ({
      ...presentPreview(preview, {}, addresses, names),
      caption_source: captionSource(preview.row, models.captionModel),
      generated_caption: preview.row.generatedCaption,
      label_sources: labelSources(row, models.labelModel),
      ...(objects === undefined ? {} : { n_objects: objects.count, objects: presentObjects(objects) }),
      ...(values === undefined ? {} : { values: presentValues(values) }),
    })),
  };
}

const presentObjects = ({ shown, models }: ListedObjects): z.infer<typeof listedObject>[] =>
  shown.map((row) => ({
    media_id: row.id,
    bounding_box: row.box,
    caption: shownCaption(row),
    caption_source: captionSource(row, models.captionModel),
    generated_caption: row.generatedCaption,
    label_sources: labelSources(row, models.labelModel),
  }));
