import type { MetadataType } from '../../../../common/engine/media-table/media-row';
import { normalForm } from '../../../../common/platform/text/texts';
import { isLong, LONG_TEXT, MalformedAnnotationError } from './annotation-file';

const ITEM = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(-?\d+(?:\.\d+)?))\s*(,|$)/suy;

/** A value of a custom field, from a file. */
export interface FileField {
  readonly name: string;
  readonly value: string | number | boolean | readonly string[];
  /** Set for a column of times; absent if the value or the dataset determines the type. */
  readonly type?: MetadataType;
  /** Whether it is a text of CSV, which may represent a value of any type. */
  readonly isText?: boolean;
}

/** Columns of fields are named `metadata.<field>`. */
const PREFIX = 'metadata.';
const MAX_COLUMNS = 100;
const MAX_NAME = 100;
const MAX_LIST = 100;
const NO_VALUE = 'a value is no text, number, time, list of texts, true or false';

/** The columns with custom fields. Throws if there are too many, or if a name is too long. */
export function fieldColumns(names: readonly string[]): readonly string[] {
  const columns = [...new Set(names.filter((name) => name.startsWith(PREFIX)))];
  if (columns.length > MAX_COLUMNS)
    throw new MalformedAnnotationError(`it has ${columns.length} columns of fields, and ${MAX_COLUMNS} is the limit`);
  for (const column of columns) {
    const name = nameOf(column);
    if (name === '' || name.length > MAX_NAME)
      throw new MalformedAnnotationError(`the name of a field has 1 to ${MAX_NAME} characters, not ${name.length}`);
  }
  return columns;
}

const nameOf = (column: string): string => column.slice(PREFIX.length).trim();

/** Returns undefined for an empty cell; a text is the reason why it is invalid. */
export function fieldOf(column: string, cell: unknown, isText: boolean): FileField | string | undefined {
  const name = normalForm(nameOf(column), 'NFC');
  if (cell === null || cell === undefined || cell === '') return undefined;
  if (cell instanceof Date)
    return Number.isNaN(cell.getTime()) ? NO_VALUE : { name, value: cell.toISOString(), type: 'datetime' };
  if (typeof cell === 'bigint') return { name, value: Number(cell) };
  // Data frames write a missing number as NaN.
  if (typeof cell === 'number') return Number.isNaN(cell) ? undefined : { name, value: cell };
  if (typeof cell === 'boolean') return { name, value: cell };
  if (typeof cell === 'string' && isLong(cell)) return LONG_TEXT;
  if (typeof cell === 'string') return isText ? { name, value: cell, isText } : { name, value: cell };
  if (!Array.isArray(cell) || cell.length > MAX_LIST || !cell.every((each) => typeof each === 'string'))
    return NO_VALUE;
  if (cell.some(isLong)) return LONG_TEXT;
  return cell.length === 0 ? undefined : { name, value: cell };
}

/** The approximate memory of a field. */
export const bytesOfField = ({ name, value }: FileField): number => {
  const texts = typeof value === 'object' ? value : [String(value)];
  return 100 + name.length + texts.reduce((sum, text) => sum + 40 + text.length, 0);
};

/** The labels of a cell: a text, a list, or a list written as `["a","b"]` or `['a','b']`. */
export function parseLabels(value: unknown): string[] {
  if (Array.isArray(value)) return distinct(value.filter((item) => item !== null && item !== undefined).map(asText));
  const text = asText(value).trim();
  const items = text.startsWith('[') && text.endsWith(']') ? listItems(text.slice(1, -1)) : undefined;
  return distinct(items ?? [text]);
}

/** Returns undefined if the text in brackets is not a list of quoted texts or numbers. */
function listItems(inner: string): string[] | undefined {
  const json = jsonList(inner);
  if (json !== undefined) return json;
  const items: string[] = [];
  const matcher = new RegExp(ITEM);
  // After a trailing comma only blanks may follow.
  const end = inner.trimEnd().length;
  if (end === 0) return [];
  while (matcher.lastIndex < end) {
    const match = matcher.exec(inner);
    if (match === null) return undefined;
    items.push(unescaped(match[1] ?? match[2] ?? match[3] ?? ''));
  }
  return items;
}

function jsonList(inner: string): string[] | undefined {
  try {
    const list = JSON.parse(`[${inner}]`) as unknown[];
    return list.every((item) => typeof item === 'string' || typeof item === 'number') ? list.map(asText) : undefined;
  } catch {
    return undefined;
  }
}

function unescaped(text: string): string {
  return text.replace(
    /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(.))/gisu,
    (_, unicode?: string, byte?: string, char?: string) => {
      const code = unicode ?? byte;
      if (code !== undefined) return String.fromCharCode(parseInt(code, 16));
      return char === 'n' ? '\n' : char === 't' ? '\t' : (char ?? '');
    },
  );
}

/** The text of a cell; undefined unless it is a text or a number. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : '';
}

function distinct(labels: readonly string[]): string[] {
  return [...new Set(labels.map((label) => label.trim()).filter((label) => label !== ''))];
}
