import type { MetadataType } from '../../../../common/engine/media-table/media-row';
import { normalForm } from '../../../../common/platform/text/texts';
import { isLong, LONG_TEXT } from './annotation-texts';
import { MalformedAnnotationError } from './annotation-warnings';

/** A value of a field of people, from a file. */
export interface FileField {
  readonly name: string;
  readonly value: string | number | boolean | readonly string[];
  /** Of a column of times; absent where the value or the dataset says it. */
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

/** Those of the columns that hold fields; throws if there are too many, or if a name is too long. */
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

/** Undefined for an empty cell; a text is the reason why it is invalid. */
export function fieldOf(column: string, cell: unknown, isText: boolean): FileField | string | undefined {
  const name = normalForm(nameOf(column), 'NFC');
  if (cell === null || cell === undefined || cell === '') return undefined;
  if (cell instanceof Date)
    return Number.isNaN(cell.getTime()) ? NO_VALUE : { name, value: cell.toISOString(), type: 'datetime' };
  if (typeof cell === 'bigint') return { name, value: Number(cell) };
  // NaN is how data frames write a missing number.
  if (typeof cell === 'number') return Number.isNaN(cell) ? undefined : { name, value: cell };
  if (typeof cell === 'boolean') return { name, value: cell };
  if (typeof cell === 'string' && isLong(cell)) return LONG_TEXT;
  if (typeof cell === 'string') return isText ? { name, value: cell, isText } : { name, value: cell };
  if (!Array.isArray(cell) || cell.length > MAX_LIST || !cell.every((each) => typeof each === 'string'))
    return NO_VALUE;
  if (cell.some(isLong)) return LONG_TEXT;
  return cell.length === 0 ? undefined : { name, value: cell };
}

/** Approximate memory. */
export const bytesOfField = ({ name, value }: FileField): number => {
  const texts = typeof value === 'object' ? value : [String(value)];
  return 100 + name.length + texts.reduce((sum, text) => sum + 40 + text.length, 0);
};
