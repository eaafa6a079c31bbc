export type CsvValue = string | number | null;

const quoted = (value: CsvValue): string => {
  if (value === null) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** RFC 4180, but for the line's end. */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(quoted).join(',')}\n`;
