import type { components } from 'dataset-media-service-sdk';

type MediaDetail = components['schemas']['MediaDetail'];
type Value = MediaDetail['custom_metadata'][number];

/** A field of the dataset. */
export type Field = Value extends { field_type: infer Type }
  ? {
      readonly field_name: string;
      readonly field_type: Type;
      readonly enum_options: readonly string[] | null;
      readonly is_multi: boolean;
    }
  : never;

/** Null where there is none. */
export type FieldValue = Value['value'] | null;

/** What is written in the place of a value; an empty text or list is none. */
export type Written = string | readonly string[];

export interface Description {
  readonly caption: string | null;
  readonly fields: ReadonlyMap<string, FieldValue>;
}

/** What changes; values that are absent stay. */
export interface DescriptionChange {
  readonly caption?: string | null;
  readonly metadata?: readonly {
    readonly field_name: string;
    readonly field_type: Field['field_type'];
    readonly value: FieldValue;
  }[];
}

/** What people wrote; a caption by a model is none of theirs. */
export const descriptionOf = ({
  caption,
  caption_source: source,
  custom_metadata: values,
}: Pick<MediaDetail, 'caption' | 'caption_source' | 'custom_metadata'>): Description => ({
  caption: source === 'User' ? caption : null,
  fields: new Map(values.map(({ field_name: name, value }) => [name, value])),
});

export const writtenOf = (value: FieldValue): Written =>
  value === null ? '' : Array.isArray(value) ? value : String(value);

/** Undefined if it is no value of the field. */
export function valueIn({ field_type: type, is_multi: isMulti }: Field, written: Written): FieldValue | undefined {
  if (typeof written !== 'string') return written.length === 0 ? null : [...written];
  const text = written.trim();
  if (text === '') return null;
  if (type === 'float') return Number.isFinite(Number(text)) ? Number(text) : undefined;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (type === 'enum') return isMulti ? [written] : written;
  return text;
}

const isSame = (one: FieldValue, other: FieldValue): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Undefined if nothing changes. */
export function changeBetween(
  before: Description,
  after: Description,
  fields: readonly Field[],
): DescriptionChange | undefined {
  const metadata = fields
    .map(({ field_name, field_type }) => ({ field_name, field_type, value: after.fields.get(field_name) ?? null }))
    .filter(({ field_name: name, value }) => !isSame(before.fields.get(name) ?? null, value));
  const isRewritten = before.caption !== after.caption;
  if (!isRewritten && metadata.length === 0) return undefined;
  return { ...(isRewritten && { caption: after.caption }), ...(metadata.length > 0 && { metadata }) };
}
