import type { VqlFilter } from 'dataset-media-service-sdk';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const MOST_CHARACTERS = 1000;
/** Other forms of a word begin with so many of its letters. */
const STEM = 4;

const wordsOf = (text: string): readonly string[] =>
  text.slice(0, MOST_CHARACTERS).normalize('NFKC').toLowerCase().match(WORD) ?? [];

/** The words of the searches by keywords among filters, without excluded ones. */
export const soughtWords = (filters: readonly VqlFilter[]): readonly string[] =>
  filters.flatMap(({ text }) => {
    if (text?.op !== 'fts' || typeof text.value !== 'string') return [];
    const wanted = text.value.slice(0, MOST_CHARACTERS).replaceAll(/(^|\s)-+(?:"[^"]*"?|[^\s"]+)/gu, ' ');
    return wordsOf(wanted.replaceAll(/\b(?:AND|OR)\b/gu, ' '));
  });

/** Whether a line of text has one of the words, also in another form. */
export function hasWord(line: string, sought: readonly string[]): boolean {
  const words = wordsOf(line);
  return sought.some((one) =>
    words.some((other) => one === other || (Math.min(one.length, other.length) >= STEM && areForms(one, other))),
  );
}

const areForms = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one);
