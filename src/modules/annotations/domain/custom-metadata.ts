import type { MediaRow, MetadataType, MetadataValue } from '../../../common/engine/media-table/media-row';
import { MAX_METADATA_FIELDS, type MetadataField } from '../../datasets';
import { isDatetime } from '../../../common/platform/text/iso-datetime';

/** Without NUL and halves of surrogate pairs. */
export const isValidText = (value: string): boolean => Buffer.from(value).toString() === value && !value.includes('\0');

export const MAX_FIELD_NAME = 100;
export const MAX_STRING = 255;
export const MAX_LINK = 2_048;
export const MAX_OPTION = 20;
export const MAX_OPTIONS = 100;

type Read = { readonly value: MetadataValue['value'] } | { readonly reason: string };

const refused = (reason: string): Read => ({ reason });
const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.length <= most && isValidText(value);

const LONGEST_NUMBER = 400;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** A received value of a field; null removes it. */
export interface GivenMetadata {
  readonly name: string;
  /** By the field, or else by the value, if absent. */
  readonly type?: MetadataType | undefined;
  readonly value: MetadataValue['value'] | null;
  /** Whether it is a text of a file, which may represent a value of any type. */
  readonly isText?: boolean | undefined;
}

const byName = (a: MetadataValue, b: MetadataValue): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** A value that its field takes; null removes it. */
export type TypedMetadata = MetadataValue | { readonly name: string; readonly value: null };

/** With `replace`, the given fields are all that remain. */
export function withMetadata<Row extends Pick<MediaRow, 'customMetadata'>>(
  row: Row,
  metadata: readonly TypedMetadata[] | undefined,
  mode: 'add' | 'replace',
): Row {
  if (metadata === undefined) return row;
  const kept = mode === 'add' ? (row.customMetadata ?? []) : [];
  const values = new Map(kept.map((value) => [value.name, value]));
  for (const given of metadata) {
    if (given.value === null) values.delete(given.name);
    else values.set(given.name, given);
  }
  return { ...row, customMetadata: values.size === 0 ? null : [...values.values()].sort(byName) };
}

const typeOf = (value: MetadataValue['value']): MetadataType => {
  if (typeof value === 'object') return 'enum';
  return typeof value === 'string' ? 'string' : typeof value === 'number' ? 'float' : 'boolean';
};

const fieldOf = (name: string, type: MetadataType, isMulti = false): MetadataField => ({
  name,
  type,
  enumOptions: null,
  isMulti,
});

/** The fields of a dataset, with those that received values add. */
export class KnownFields {
  private readonly fields = new Map<string, MetadataField>();
  private readonly addedNames = new Set<string>();

  constructor(declared: readonly MetadataField[]) {
    for (const field of declared) this.fields.set(field.name, field);
  }

  get added(): readonly MetadataField[] {
    return Array.from(this.addedNames, (name) => this.fields.get(name)!);
  }

  /** The value that its field takes, or the reason why it takes none. */
  typed({ name, type, value, isText = false }: GivenMetadata): TypedMetadata | { readonly reason: string } {
    if (value === null) return { name, value };
    const known = this.fields.get(name);
    if (known !== undefined && type !== undefined && known.type !== type)
      return { reason: `The field ${JSON.stringify(name)} has values of the type ${known.type}, not ${type}.` };
    const field = known ?? fieldOf(name, type ?? typeOf(value), typeof value === 'object');
    const read = readValue(field, isText && typeof value === 'string' ? valueOfText(field, value) : value);
    if ('reason' in read)
      return {
        reason: `The field ${JSON.stringify(name)} has the type ${field.type}; ${shown(value)} ${read.reason}.`,
      };
    if (known === undefined) {
      if (this.fields.size >= MAX_METADATA_FIELDS)
        return { reason: `The dataset would have more than ${MAX_METADATA_FIELDS} fields, which is the limit.` };
      this.add(field);
    }
    return { name, type: field.type, value: read.value };
  }

  private add(field: MetadataField): void {
    this.fields.set(field.name, field);
    this.addedNames.add(field.name);
  }
}

const MAX_SHOWN = 40;
/** A value in a sentence. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, MAX_SHOWN)) : JSON.stringify(value);
  return text.length > 2 * MAX_SHOWN ? `${text.slice(0, 2 * MAX_SHOWN)}…` : text;
}

function isLink(value: string): boolean {
  if (!URL.canParse(value)) return false;
  return ['http:', 'https:'].includes(new URL(value).protocol);
}

/** A value of a field as it is stored, or the reason why it is invalid. */
export function readValue(field: MetadataField, value: unknown): Read {
  switch (field.type) {
    case 'string':
      return isText(value, MAX_STRING) ? { value } : refused(`is not a text of at most ${MAX_STRING} characters`);
    case 'float':
      return typeof value === 'number' && Number.isFinite(value) ? { value } : refused('is not a finite number');
    case 'boolean':
      return typeof value === 'boolean' ? { value } : refused('is neither true nor false');
    case 'datetime':
      return typeof value === 'string' && isDatetime(value)
        ? { value: new Date(value).toISOString() }
        : refused('is not a datetime with its zone, such as 2026-01-31T12:00:00Z');
    case 'link':
      return isText(value, MAX_LINK) && isLink(value)
        ? { value }
        : refused(`is not an address with http or https of at most ${MAX_LINK} characters`);
    case 'enum':
      return readOptions(field, value);
  }
}

function readOptions({ enumOptions, isMulti }: MetadataField, value: unknown): Read {
  const named: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (Array.isArray(value) && !isMulti) return refused('is a list, and the field takes one option');
  if (named.length === 0 || named.length > MAX_OPTIONS) return refused(`does not have 1 to ${MAX_OPTIONS} options`);
  const options = new Set<string>();
  for (const each of named) {
    if (!isText(each, MAX_OPTION) || enumOptions?.includes(each) === false)
      return refused(
        `is not ${isMulti ? 'a list of options' : 'one of the options'} ${(enumOptions ?? []).join(', ')}`,
      );
    options.add(each);
  }
  return { value: isMulti ? [...options] : [...options][0]! };
}

/** Parses a text of a file as a value of a field; returns the text itself if it is not one. */
function valueOfText({ type, isMulti }: MetadataField, text: string): MetadataValue['value'] {
  if (type === 'enum' && isMulti) return text.split('|');
  if (text.length > LONGEST_NUMBER) return text;
  const word = text.trim().toLowerCase();
  if (type === 'boolean') return BOOLEANS.get(word) ?? text;
  return type !== 'float' || word === '' || Number.isNaN(Number(word)) ? text : Number(word);
}
