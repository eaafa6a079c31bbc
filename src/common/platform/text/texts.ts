export type IsSought = (text: string) => boolean;

/** The maximum number of consecutive marks in Unicode's Stream-Safe Text Format (UAX 15); no language needs more. */
export const MAX_MARKS_IN_A_ROW = 30;

const TOO_MANY_MARKS = /\p{M}{31}/u;
const EXCESS_MARKS = /(\p{M}{30})\p{M}+/gu;

export const hasTooManyMarks = (text: string): boolean => TOO_MANY_MARKS.test(text);

/**
 * Applies a Unicode normal form in linear time. Normalising sorts combining marks one by one, so 160,000 consecutive marks take a minute; marks after
 * the thirtieth are removed first.
 */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return (hasTooManyMarks(text) ? text.replace(EXCESS_MARKS, '$1') : text).normalize(form);
}

export const anyText: IsSought = () => true;

/** Equal for texts that differ in case or in the composition of characters only. */
export const folded = (text: string): string => normalForm(text, 'NFKC').toLowerCase();

/** Matches texts that contain the given text, ignoring case and the composition of characters. */
export function containing(search: string): IsSought {
  const part = folded(search);
  return (text) => folded(text).includes(part);
}

/** Removes trailing characters in linear time; `/x+$/` would scan to the end from each occurrence. */
export function trimEndOf(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

export function trimStartOf(text: string, character: string): string {
  let start = 0;
  while (text[start] === character) start += 1;
  return text.slice(start);
}

/** Control characters, lone surrogates and white space; a run of them becomes one space. */
const BLANKS = /[\p{Cc}\p{Cs}\s]+/gu;
/** Reads at most this many times the number of characters that are kept. */
const MOST_BLANKS = 8;
const VISIBLE = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u;

/** Converts a text from a server to one line without control characters, limited to the given number of characters. Empty if nothing in it is visible. */
export function plainText(text: string, mostCharacters: number): string {
  const plain = text
    .slice(0, mostCharacters * MOST_BLANKS)
    .replace(BLANKS, ' ')
    .trim();
  if (!VISIBLE.test(plain)) return '';
  return plain.length <= mostCharacters ? plain : cut(plain, mostCharacters);
}

function cut(text: string, mostCharacters: number): string {
  const last = text.charCodeAt(mostCharacters - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? mostCharacters - 1 : mostCharacters).trimEnd();
}
