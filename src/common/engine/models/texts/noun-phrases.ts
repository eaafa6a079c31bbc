import { foldText, STOP_WORDS, wordsOf } from '../text-words';
import { singularsOf } from './singulars';

/** The rest of a text adds little, and takes time. */
const MAX_CHARACTERS = 2_000;

const CLAUSE_END = /[,;:!?()[\]\n]|\.(?=\s|$)/;

const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

const NEGATIONS = setOf('not no never without except excluding neither nor isn aren wasn hasn haven doesn don cannot');
/** After these words a clause is no longer about what is absent. */
const NEGATION_ENDS = setOf('but with in on at by near under behind beside above below inside');
/** Things whose name is a colour before another word, as in "an orange hat". */
const COLOURS = setOf('orange lemon olive peach rose salmon coral cream chocolate plum');
/** Nouns that say how a picture is taken, how many things there are, or how they are, rather than what they are. */
const IGNORED = setOf(`
  photo photograph picture image shot view scene print background foreground side front back top bottom middle head end
  pair group bunch lot piece set kind type sort number place space point level case work stuff style round light
  white modern vintage color colour pattern
`);

/** A part of a text, and the noun in the vocabulary that it is. */
export interface NounPhrase {
  readonly text: string;
  readonly noun: string;
}

interface Vocabulary {
  has(noun: string): boolean;
  /** The most words of a noun. */
  readonly longest: number;
}

/** The form of nouns in a vocabulary: words in lower case without accents, separated by spaces. */
export const plainNoun = (noun: string): string => wordsOf(foldText(noun)).join(' ');

/** The nouns in a text that a vocabulary has, the longest ones first, without those that the text says are absent. Each noun occurs once. */
export function nounPhrasesIn(text: string, vocabulary: Vocabulary): NounPhrase[] {
  const found = new Map<string, NounPhrase>();
  for (const clause of foldText(text.slice(0, MAX_CHARACTERS)).split(CLAUSE_END))
    for (const phrase of phrasesOfClause(wordsOf(clause), vocabulary))
      if (!found.has(phrase.noun)) found.set(phrase.noun, phrase);
  return [...found.values()];
}

function* phrasesOfClause(words: readonly string[], vocabulary: Vocabulary): Iterable<NounPhrase> {
  let isAbsent = false;
  for (let at = 0; at < words.length;) {
    const word = words[at]!;
    isAbsent = NEGATIONS.has(word) || (isAbsent && !NEGATION_ENDS.has(word));
    const phrase = phraseAt(words, at, vocabulary);
    if (phrase !== undefined && !isAbsent) yield phrase.found;
    at += phrase?.length ?? 1;
  }
}

function phraseAt(
  words: readonly string[],
  at: number,
  vocabulary: Vocabulary,
): { readonly found: NounPhrase; readonly length: number } | undefined {
  for (let length = Math.min(vocabulary.longest, words.length - at); length > 0; length--) {
    const [last, ...before] = words.slice(at, at + length).reverse();
    if (length === 1 && isNoThing(last!, words[at + 1])) return undefined;
    const text = [...before].reverse();
    const noun = singularsOf(last!)
      .map((form) => [...text, form].join(' '))
      .find((form) => vocabulary.has(form));
    if (noun !== undefined) return { found: { text: [...text, last].join(' '), noun }, length };
  }
  return undefined;
}

const isNoThing = (word: string, next: string | undefined): boolean =>
  STOP_WORDS.has(word) ||
  singularsOf(word).some((form) => IGNORED.has(form)) ||
  (COLOURS.has(word) && next !== undefined && !STOP_WORDS.has(next));
