import { z } from 'zod';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { givenName, datasetPath, uuid } from '../../../../common/platform/http/query-values';
import { mediaSelection } from '../../selection/http/media-selection.schema';

export const tagPath = datasetPath.extend({
  tag_id: uuid.transform((id) => id.toLowerCase()).meta({ description: 'The tag.', example: EXAMPLE.tag }),
});
export type TagPath = z.output<typeof tagPath>;

export const tagBody = z.object({ name: givenName }).meta({ example: { name: 'Checked' } });
export const tagRenameBody = tagBody.meta({ example: { name: 'Checked twice' } });
export type TagBody = z.output<typeof tagBody>;

export const selectionBody = z.object({ media_selection: mediaSelection });
export type SelectionBody = z.output<typeof selectionBody>;

export const tagResponse = z
  .object({ id: z.uuid(), name: z.string(), n_items: z.int() })
  .meta({ id: 'Tag', example: { id: EXAMPLE.tag, name: 'Checked', n_items: 12 } });
export type TagResponse = z.infer<typeof tagResponse>;

export const tagsResponse = z.object({ tags: z.array(tagResponse) });
export const countResponse = z.object({ count: z.int() }).meta({ example: { count: 13 } });
