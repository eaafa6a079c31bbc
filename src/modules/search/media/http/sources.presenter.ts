import { z } from 'zod';
import { givenLabels } from '../../../../common/engine/media-table/generated-labels';
import type { MediaRow } from '../../../../common/engine/media-table/media-row';

/** Who wrote the caption and gave the labels of an entity. */
export const sourceFields = {
  /** `User`, or the model that wrote the caption. */
  caption_source: z.string().nullable(),
  /** What a model wrote, also where people wrote the caption that is shown. */
  generated_caption: z.string().nullable(),
  /** Where each label comes from; the confidence is null for those that people gave. */
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
