type Replacer = (key: string, value: unknown) => unknown;

type CsvValue = string | number | null;

// Spreadsheets would interpret such a text as a formula. The apostrophe is included so that the escaping is reversible.
const FORMULA_START = /^['=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/;
const QUOTED = /[",;\t\r\n]/;

const escapeFormula = (text: string): string => (FORMULA_START.test(text) ? `'${text}` : text);

/** A text of a cell as it was before `csvLine` prefixed it. */
export const withoutFormulaPrefix = (text: string): string =>
  text.startsWith("'") && FORMULA_START.test(text.slice(1)) ? text.slice(1) : text;

const cell = (value: CsvValue): string => {
  if (value === null) return '';
  const text = typeof value === 'string' ? escapeFormula(value) : String(value);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/**
 * RFC 4180, except for the line ending. A text that starts like a formula is prefixed with an apostrophe; readers of the file must remove one leading
 * apostrophe.
 */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(cell).join(',')}\n`;

/** A value as one line. Readline also ends lines at U+2028 and U+2029, which JSON does not escape. */
export const jsonLine = (value: object, replacer?: Replacer): string =>
  `${JSON.stringify(value, replacer).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
