/** As many as Unicode's Stream-Safe Text Format allows in a row (UAX 15): no language needs more. */
export const MOST_MARKS_IN_A_ROW = 30;

const TOO_MANY_MARKS = /\p{M}{31}/u;
const MARKS_BEYOND = /(\p{M}{30})\p{M}+/gu;

export const hasTooManyMarks = (text: string): boolean => TOO_MANY_MARKS.test(text);

/**
 * A Unicode normal form in linear time. Normalising sorts the combining marks of a letter one by one, so that 160,000 of them
 * in a row take a minute: marks beyond the thirtieth are dropped before.
 */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return (hasTooManyMarks(text) ? text.replace(MARKS_BEYOND, '$1') : text).normalize(form);
}
