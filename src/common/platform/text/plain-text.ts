/** Control characters, halves of surrogate pairs and white space; a run of them becomes one blank. */
const BLANKS = /[\p{Cc}\p{Cs}\s]+/gu;
/** Times as much as is kept is read. */
const MOST_BLANKS = 8;
const VISIBLE = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u;

/** A text of a server on one line, without control characters and cut to the given number of characters. Empty if nothing in it is visible. */
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
