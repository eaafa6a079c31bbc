import { z } from 'zod';
import { LABEL_ATTRIBUTE_TYPES, type LabelSet } from '../../datasets';
import { text } from './custom-metadata.schemas';
import { MAX_LABEL } from './source.schemas';

const MAX_LABELS = 1_000;
const MAX_ATTRIBUTES = 50;
const MAX_NAME = 128;
const MAX_VALUES = 100;
const MAX_VALUE = 500;

const differ = (texts: readonly (string | null)[]): boolean => {
  const given = texts.filter((each) => each !== null);
  return new Set(given).size === given.length;
};

const listOf = <T extends z.ZodType>(item: T, most: number) =>
  z.array(item).max(most, { error: `Input should have at most ${most} items` });

const attribute = z
  .strictObject({
    name: text(MAX_NAME),
    type: z.enum(LABEL_ATTRIBUTE_TYPES, { error: `Input should be one of ${LABEL_ATTRIBUTE_TYPES.join(', ')}` }),
    values: listOf(text(MAX_VALUE), MAX_VALUES)
      .min(1, { error: 'Input should have a value' })
      .refine(differ, { error: 'Input should have each value once' })
      .optional()
      .describe('Of a choice, and only then.'),
  })
  .refine(({ type, values }) => (type === 'choice') === (values !== undefined), {
    path: ['values'],
    error: 'Input should be the values of a choice, and absent for other types',
  })
  .meta({ id: 'LabelAttribute' });

const label = z
  .strictObject({
    name: text(MAX_LABEL),
    colour: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, { error: 'Input should be a colour such as #1f77b4' })
      .transform((colour) => colour.toLowerCase())
      .nullable()
      .default(null),
    hot_key: z
      .string()
      .regex(/^[^\s\p{C}]$/u, { error: 'Input should be one character' })
      .nullable()
      .default(null)
      .describe('The key that gives the label; each for one label.'),
    attributes: listOf(attribute, MAX_ATTRIBUTES)
      .refine((all) => differ(all.map(({ name }) => name)), { error: 'Input should have each name once' })
      .default([])
      .describe('What may be said about an annotation with the label; nothing else if the set is closed.'),
  })
  .meta({ id: 'SetLabel' });

const fields = {
  labels: listOf(label, MAX_LABELS)
    .refine((all) => differ(all.map(({ name }) => name)), { error: 'Input should have each name once' })
    .refine((all) => differ(all.map(({ hot_key: key }) => key)), { error: 'Input should have each hot key once' }),
  closed: z.boolean().describe('Whether edits of `ground_truth` with other labels and attributes are refused.'),
};

const example = {
  labels: [
    {
      name: 'boat',
      colour: '#1f77b4',
      hot_key: 'b',
      attributes: [{ name: 'size', type: 'choice' as const, values: ['small', 'large'] }],
    },
  ],
  closed: true,
};

export const labelSetBody = z
  .strictObject({ ...fields, closed: fields.closed.default(false) })
  .refine(({ labels, closed }) => !closed || labels.length > 0, {
    path: ['labels'],
    error: 'Input should have a label if the set is closed',
  })
  .meta({ example });
export type LabelSetBody = z.output<typeof labelSetBody>;

export const labelSetResponse = z
  .object({
    labels: z.array(
      z
        .object({
          name: z.string(),
          colour: z.string().nullable(),
          hot_key: z.string().nullable(),
          attributes: z.array(
            z.object({
              name: z.string(),
              type: z.enum(LABEL_ATTRIBUTE_TYPES),
              values: z.array(z.string()).optional().describe('Of a choice.'),
            }),
          ),
        })
        .meta({ id: 'LabelOfSet' }),
    ),
    closed: fields.closed,
  })
  .meta({ id: 'LabelSet', example });

export const givenLabelSet = ({ labels, closed }: LabelSetBody): LabelSet => ({
  labels: labels.map(({ name, colour, hot_key: hotKey, attributes }) => ({
    ...{ name, colour, hotKey },
    attributes: attributes.map(({ name: of, type, values }) => ({ name: of, type, ...(values && { values }) })),
  })),
  closed,
});

export const presentLabelSet = ({ labels, closed }: LabelSet): z.infer<typeof labelSetResponse> => ({
  labels: labels.map(({ name, colour, hotKey, attributes }) => ({
    ...{ name, colour, hot_key: hotKey },
    attributes: attributes.map(({ values, ...rest }) => ({ ...rest, ...(values && { values: [...values] }) })),
  })),
  closed,
});
