export type CsvValue = string | number | null;

// A spreadsheet would run such a text as a formula; the apostrophe itself is among them so that it can be taken off again.
const FORMULA_START = /^['=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/;
const QUOTED = /[",;\t\r\n]/;

const inert = (text: string): string => (FORMULA_START.test(text) ? `'${text}` : text);

const cell = (value: CsvValue): string => {
  if (value === null) return '';
  const text = typeof value === 'string' ? inert(value) : String(value);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/**
 * RFC 4180, but for the line's end. A text that begins like a formula gets an apostrophe in front: whoever reads the file
 * takes off one leading apostrophe.
 */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(cell).join(',')}\n`;
