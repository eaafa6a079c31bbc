import { z } from 'zod';
import { MEASURED_ISSUES } from '../../../versions';
import type { ValuesOfRow } from '../value-fields';
import { METADATA_TYPES, type MetadataValue } from '../../../../common/engine/media-table/media-row';

export const customMetadata = z.array(
  z.object({
    field_name: z.string(),
    field_type: z.enum(METADATA_TYPES),
    /** A list for an enum with several options. */
    value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
  }),
);

export const presentMetadata = (values: readonly MetadataValue[]): z.infer<typeof customMetadata> =>
  values.map(({ name, type, value }) => ({
    field_name: name,
    field_type: type,
    value: typeof value === 'object' ? [...value] : value,
  }));

/** The measures of a medium, and its custom fields. */
export const valueFields = {
  custom_metadata: customMetadata,
  size_bytes: z.int(),
  uniqueness_score: z.number(),
  /** For mislabels, the description is the label of similar media. */
  issues: z.array(
    z.object({
      issue: z.enum(MEASURED_ISSUES),
      confidence: z.number(),
      issues_description: z.string().optional(),
    }),
  ),
};

export const valuesExample = {
  custom_metadata: [{ field_name: 'site', field_type: 'string', value: 'north harbour' }],
  size_bytes: 284113,
  uniqueness_score: 0.31,
  issues: [{ issue: 'blur', confidence: 0.12 }],
};

type Values = z.infer<z.ZodObject<typeof valueFields>>;

export const presentValues = (row: ValuesOfRow): Values => ({
  custom_metadata: presentMetadata(row.customMetadata ?? []),
  size_bytes: row.sizeBytes,
  uniqueness_score: row.uniqueness,
  issues: [
    { issue: 'blur' as const, confidence: row.blurConfidence },
    { issue: 'dark' as const, confidence: row.darkConfidence },
    { issue: 'bright' as const, confidence: row.brightConfidence },
    { issue: 'outliers' as const, confidence: row.outlierConfidence },
    {
      issue: 'mislabels' as const,
      confidence: row.mislabelConfidence ?? 0,
      ...(row.suggestedLabel === null ? {} : { issues_description: row.suggestedLabel }),
    },
    { issue: 'class_outliers' as const, confidence: row.classOutlierConfidence ?? 0 },
  ].filter(({ confidence }) => confidence > 0),
});
