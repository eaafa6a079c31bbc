import { normalForm } from '../../platform/text/texts';

const ASCII = /^[\0-\x7f]*$/;
const ACCENTS = /[\u0300-\u036f]/g;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Removes differences of case, accents and Unicode variants. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return normalForm(normalForm(text, 'NFKD').replace(ACCENTS, ''), 'NFC').toLowerCase().replaceAll('ß', 'ss');
}

/** The words of a folded text, in order. */
export function wordsOf(folded: string): string[] {
  const words = folded.match(WORD) ?? [];
  if (!UNSPACED.test(folded)) return words;
  return words.flatMap((word) =>
    UNSPACED.test(word) ? Array.from(segmenter.segment(word), ({ segment }) => segment) : [word],
  );
}

const WORDS = `
  a an the and or but nor so if then than as at by for from in into of off on onto out over to up with without
  within while during through between about above below under again
  am is are was were be been being do does did doing have has had having can could will would shall should may might must
  i me my mine we us our ours you your yours he him his she her hers it its they them their theirs
  this that these those there here which who whom whose what when where why how
  not no only just also too very such some any each both all other another s t d ll m re ve
`;

/** Frequent English words with little meaning, including the parts of "it's" and "don't". */
export const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));

const C = '[^aeiou]';
const V = '[aeiouy]';
const CS = `${C}[^aeiouy]*`;
const VS = `${V}[aeiou]*`;

/** Whether the part before an ending has at least one, exactly one, or more than one sequence of vowels and consonants. */
const ONE_OR_MORE = new RegExp(`^(${CS})?${VS}${CS}`);
const EXACTLY_ONE = new RegExp(`^(${CS})?${VS}${CS}(${VS})?$`);
const TWO_OR_MORE = new RegExp(`^(${CS})?${VS}${CS}${VS}${CS}`);
const HAS_VOWEL = new RegExp(`^(${CS})?${V}`);
/** Consonant, vowel, consonant, as in "hop". */
const SHORT_END = new RegExp(`^${CS}${V}[^aeiouwxy]$`);
const DOUBLED_END = /([^aeiouylsz])\1$/;

const SECOND_STEP: Readonly<Record<string, string>> = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
};

const THIRD_STEP: Readonly<Record<string, string>> = {
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
};

const endings = (words: Readonly<Record<string, string>>): RegExp =>
  new RegExp(`^(.+?)(${Object.keys(words).join('|')})$`);

const SECOND_ENDINGS = endings(SECOND_STEP);
const THIRD_ENDINGS = endings(THIRD_STEP);
const FOURTH_ENDINGS =
  /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize|(?<=[st])ion)$/;

const PLAIN = /^[a-z]{3,}$/;

/** The stem of an English word in lower case, by the algorithm of M. F. Porter (1980). Other words are unchanged. */
export function stemOf(word: string): string {
  if (!PLAIN.test(word)) return word;
  // An initial y is a consonant, which the patterns recognise by its upper case.
  const startsWithY = word.startsWith('y');
  let stem = startsWithY ? `Y${word.slice(1)}` : word;
  stem = withoutPlural(stem);
  stem = withoutTense(stem);
  if (/y$/.test(stem) && HAS_VOWEL.test(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = withoutSuffix(stem, SECOND_ENDINGS, SECOND_STEP);
  stem = withoutSuffix(stem, THIRD_ENDINGS, THIRD_STEP);
  const fourth = FOURTH_ENDINGS.exec(stem);
  if (fourth !== null && TWO_OR_MORE.test(fourth[1]!)) stem = fourth[1]!;
  stem = withoutLastLetter(stem);
  return startsWithY ? `y${stem.slice(1)}` : stem;
}

function withoutPlural(word: string): string {
  if (/(ss|i)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutTense(word: string): string {
  if (word.endsWith('eed')) return ONE_OR_MORE.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const ending = /^(.+?)(ed|ing)$/.exec(word);
  if (ending === null || !HAS_VOWEL.test(ending[1]!)) return word;
  const stem = ending[1]!;
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (DOUBLED_END.test(stem)) return stem.slice(0, -1);
  return SHORT_END.test(stem) ? `${stem}e` : stem;
}

function withoutSuffix(word: string, pattern: RegExp, replacement: Readonly<Record<string, string>>): string {
  const found = pattern.exec(word);
  return found !== null && ONE_OR_MORE.test(found[1]!) ? found[1]! + replacement[found[2]!]! : word;
}

function withoutLastLetter(word: string): string {
  let stem = word;
  if (stem.endsWith('e')) {
    const before = stem.slice(0, -1);
    if (TWO_OR_MORE.test(before) || (EXACTLY_ONE.test(before) && !SHORT_END.test(before))) stem = before;
  }
  return stem.endsWith('ll') && TWO_OR_MORE.test(stem) ? stem.slice(0, -1) : stem;
}
