import { z } from 'zod';
import { GROUND_TRUTH, issuesOf, MEASURED_ISSUES } from '../../../versions';
import type { DescribingModels, ValuesOfRow } from '../media.service';
import {
  METADATA_TYPES,
  type MetadataValue,
  givenLabels,
  type MediaRow,
} from '../../../../common/engine/media-table/media-row';

/** The origin of the caption and the labels of an entity. */
export const sourceFields = {
  /** `User`, or the model that wrote the caption. */
  caption_source: z.string().nullable(),
  /** The caption by a model, even if one by a person is shown. */
  generated_caption: z.string().nullable(),
  /** The origin of each label; the confidence is null for labels by people. */
  label_sources: z.array(
    z.object({
      label: z.string(),
      source: z.string().nullable(),
      annotation_source: z.string().describe('The source of annotations: `ground_truth` of what people say.'),
      confidence: z.number().nullable(),
    }),
  ),
};

export const sourcesExample = {
  caption_source: 'User',
  generated_caption: null,
  label_sources: [{ label: 'boat', source: 'User', annotation_source: 'ground_truth', confidence: null }],
};

type LabelSources = z.infer<(typeof sourceFields)['label_sources']>;

export const labelSources = (
  row: Pick<MediaRow, 'labels' | 'generatedLabels' | 'objectSource'>,
  { labelModel, labelSource }: Pick<DescribingModels, 'labelModel' | 'labelSource'>,
): LabelSources => [
  ...givenLabels(row).map((label) => ({
    label,
    source: row.objectSource ?? 'User',
    annotation_source: row.objectSource ?? GROUND_TRUTH,
    confidence: null,
  })),
  ...(row.generatedLabels ?? []).map(({ label, confidence }) => ({
    label,
    source: row.objectSource ?? labelModel,
    annotation_source: row.objectSource ?? labelSource,
    confidence,
  })),
];

const point = z.object({ x: z.number(), y: z.number() });

const textLine = z.object({
  text: z.string(),
  confidence: z.number(),
  /** Clockwise in the direction of reading, from the start of the upper edge, in fractions of the picture's width and height. */
  corners: z.array(point).length(4),
});

/** The text in a picture. */
export const textFields = {
  /** The model that read it; null if none did. */
  text_source: z.string().nullable(),
  /** In reading order. */
  text_lines: z.array(textLine),
};

export const textExample = {
  text_source: 'printed-text_v00',
  text_lines: [
    {
      text: 'HARBOUR',
      confidence: 0.98,
      corners: [
        { x: 0.1, y: 0.2 },
        { x: 0.4, y: 0.2 },
        { x: 0.4, y: 0.26 },
        { x: 0.1, y: 0.26 },
      ],
    },
  ],
};

export const presentText = (
  { textLines }: Pick<MediaRow, 'textLines'>,
  model: string | null,
): z.infer<z.ZodObject<typeof textFields>> => ({
  text_source: textLines === null ? null : model,
  text_lines: (textLines ?? []).map(({ corners, ...line }) => ({ ...line, corners: [...corners] })),
});

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
  issues: issuesOf(row).map(({ issue, confidence }) => ({
    issue,
    confidence,
    ...(issue === 'mislabels' && row.suggestedLabel !== null ? { issues_description: row.suggestedLabel } : {}),
  })),
});

export function captionSource(
  { caption, generatedCaption }: Pick<MediaRow, 'caption' | 'generatedCaption'>,
  model: string | null,
): string | null {
  if (caption !== null) return 'User';
  return generatedCaption === null ? null : model;
}
