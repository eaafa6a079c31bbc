/** The maximum in a row of Unicode's Stream-Safe Text Format (UAX 15); no language needs more. */
export const MAX_MARKS_IN_A_ROW = 30;

const TOO_MANY_MARKS = /\p{M}{31}/u;
const EXCESS_MARKS = /(\p{M}{30})\p{M}+/gu;

export const hasTooManyMarks = (text: string): boolean => TOO_MANY_MARKS.test(text);

/**
 * Applies a Unicode normal form in linear time. Normalising sorts combining marks one by one, so 160,000 in a row take a minute; marks
 * beyond the thirtieth are dropped first.
 */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return (hasTooManyMarks(text) ? text.replace(EXCESS_MARKS, '$1') : text).normalize(form);
}
