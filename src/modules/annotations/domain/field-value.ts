import type { MetadataValue } from '../../../common/engine/media-table/media-row';
import { isDatetime } from '../../../common/platform/text/iso-datetime';
import type { MetadataField } from '../../datasets';
import { isValidText } from './valid-text';

export const MAX_FIELD_NAME = 100;
export const MAX_STRING = 255;
export const MAX_LINK = 2_048;
export const MAX_OPTION = 20;
export const MAX_OPTIONS = 100;

type Read = { readonly value: MetadataValue['value'] } | { readonly reason: string };

const refused = (reason: string): Read => ({ reason });
const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.length <= most && isValidText(value);

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

const LONGEST_NUMBER = 400;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Parses a text of a file as a value of a field; returns the text itself if it is not one. */
export function valueOfText({ type, isMulti }: MetadataField, text: string): MetadataValue['value'] {
  if (type === 'enum' && isMulti) return text.split('|');
  if (text.length > LONGEST_NUMBER) return text;
  const word = text.trim().toLowerCase();
  if (type === 'boolean') return BOOLEANS.get(word) ?? text;
  return type !== 'float' || word === '' || Number.isNaN(Number(word)) ? text : Number(word);
}
