import type { components } from 'dataset-media-service-sdk';

type LabelSet = components['schemas']['LabelSet'];
export type Attribute = LabelSet['labels'][number]['attributes'][number];
export type Attributes = components['schemas']['Annotation']['attributes'];
export type AttributeValue = Attributes[string];

/** The attributes that the set has for a label. */
export const attributesOf = (labels: LabelSet['labels'], label: string): readonly Attribute[] =>
  labels.find(({ name }) => name === label)?.attributes ?? [];

/** What of the attributes may be given to a label: all, unless the set is closed. */
export function allowedAttributes(set: LabelSet | undefined, label: string, given: Attributes): Attributes {
  if (set?.closed !== true) return given;
  const allowed = new Map(attributesOf(set.labels, label).map((each) => [each.name, each]));
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => {
      const attribute = allowed.get(name);
      return attribute !== undefined && isValueOf(attribute, value);
    }),
  );
}

function isValueOf({ type, values = [] }: Attribute, value: AttributeValue): boolean {
  if (type === 'choice') return typeof value === 'string' && values.includes(value);
  return typeof value === (type === 'text' ? 'string' : type);
}

/** Undefined if it is none; an empty text is none of any type. */
export function valueIn({ type, values = [] }: Attribute, written: string): AttributeValue | undefined {
  const text = written.trim();
  if (text === '') return undefined;
  if (type === 'text') return text;
  if (type === 'choice') return values.includes(written) ? written : undefined;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  return Number.isFinite(Number(text)) ? Number(text) : undefined;
}

/** With the value of one attribute, or without that attribute. */
export const withAttribute = (all: Attributes, name: string, value: AttributeValue | undefined): Attributes =>
  value === undefined
    ? Object.fromEntries(Object.entries(all).filter(([each]) => each !== name))
    : { ...all, [name]: value };
