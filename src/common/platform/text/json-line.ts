type Replacer = (key: string, value: unknown) => unknown;

/** A value as one line. Readline also ends a line at U+2028 and U+2029, which JSON leaves as they are. */
export const jsonLine = (value: object, replacer?: Replacer): string =>
  `${JSON.stringify(value, replacer).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
