import { z } from 'zod';
import { METADATA_TYPES, type MetadataValue } from '../../../../common/engine/media-table/media-row';

export const customMetadata = z.array(
  z.object({
    field_name: z.string(),
    field_type: z.enum(METADATA_TYPES),
    /** A list of an enum of several options. */
    value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
  }),
);

export const presentMetadata = (values: readonly MetadataValue[]): z.infer<typeof customMetadata> =>
  values.map(({ name, type, value }) => ({
    field_name: name,
    field_type: type,
    value: typeof value === 'object' ? [...value] : value,
  }));
