import { z } from 'zod';
import { datasetPath, uuid } from '../../../../common/platform/http/query-values';
import { mediaSelection } from '../../selection/http/media-selection.schema';

const name = z
  .string()
  .trim()
  .min(1, { error: 'Input should not be empty' })
  .max(255, { error: 'Input should be at most 255 characters' })
  .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), {
    error: 'Input should hold no control characters',
  });

export const tagPath = datasetPath.extend({ tag_id: uuid.transform((id) => id.toLowerCase()).describe('The tag.') });
export type TagPath = z.output<typeof tagPath>;

export const tagBody = z.object({ name });
export type TagBody = z.output<typeof tagBody>;

export const selectionBody = z.object({ media_selection: mediaSelection });
export type SelectionBody = z.output<typeof selectionBody>;

export const tagResponse = z.object({ id: z.uuid(), name: z.string(), n_items: z.int() }).meta({ id: 'Tag' });
export type TagResponse = z.infer<typeof tagResponse>;

export const tagsResponse = z.object({ tags: z.array(tagResponse) });
export const countResponse = z.object({ count: z.int() });
