import { z } from 'zod';
import { givenLabels, type MediaRow } from '../../../../common/engine/media-table/media-row';

/** The origin of the caption and the labels of an entity. */
export const sourceFields = {
  /** `User`, or the model that wrote the caption. */
  caption_source: z.string().nullable(),
  /** The caption by a model, even if one by a person is shown. */
  generated_caption: z.string().nullable(),
  /** The origin of each label; the confidence is null for labels by people. */
  label_sources: z.array(
    z.object({ label: z.string(), source: z.string().nullable(), confidence: z.number().nullable() }),
  ),
};

export const sourcesExample = {
  caption_source: 'User',
  generated_caption: null,
  label_sources: [{ label: 'boat', source: 'User', confidence: null }],
};

type LabelSources = z.infer<(typeof sourceFields)['label_sources']>;

export function captionSource(
  { caption, generatedCaption }: Pick<MediaRow, 'caption' | 'generatedCaption'>,
  model: string | null,
): string | null {
  if (caption !== null) return 'User';
  return generatedCaption === null ? null : model;
}

export const labelSources = (row: Pick<MediaRow, 'labels' | 'generatedLabels'>, model: string | null): LabelSources => [
  ...givenLabels(row).map((label) => ({ label, source: 'User', confidence: null })),
  ...(row.generatedLabels ?? []).map(({ label, confidence }) => ({ label, source: model, confidence })),
];
