import { normalForm } from '../../platform/text/normal-form';

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
