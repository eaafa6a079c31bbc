import type { KeywordQuery } from '../../../../common/engine/media-table/keyword-query';
import { LEAST_SIMILARITY, NOT_KEPT } from '../../duplicates/domain/kept-similarity';
import { keywordGrammar, parseKeywords } from './parse-keywords';
import { UNTAGGED } from './set-filter';
import type { VqlPlace } from './vql-place';

export const MAX_TEXT_LENGTH = 10_000;
export const MAX_LIST_LENGTH = 1_000;
const MAX_WHOLE_NUMBER = 1e15;

/** Reads one kind of value; null when it is refused, which is then reported at its place. */
export interface ValueReader<T> {
  readonly shape: string;
  read(value: unknown, place: VqlPlace): T | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NUL_OR_LONE_SURROGATE = /[\0\p{Cs}]/u;

export type TextProblem = { readonly type: 'too_small' | 'too_big' | 'invalid_format'; readonly message: string };

/** Why a text can't be searched for. */
export function problemOf(text: string): TextProblem | undefined {
  if (text.length > MAX_TEXT_LENGTH)
    return { type: 'too_big', message: `Input should have at most ${MAX_TEXT_LENGTH} characters` };
  if (text.trim() === '') return { type: 'too_small', message: 'Input should not be empty' };
  if (NUL_OR_LONE_SURROGATE.test(text))
    return { type: 'invalid_format', message: 'Input should have no NUL and no half of a surrogate pair' };
  return undefined;
}

export const text: ValueReader<string> = {
  shape: 'text',
  read(value, place) {
    if (typeof value !== 'string') return place.refuse('invalid_type', 'Input should be a string', value);
    const problem = problemOf(value);
    return problem === undefined ? value : place.refuse(problem.type, problem.message, value);
  },
};

export const keywords: ValueReader<KeywordQuery> = {
  shape: `text (${keywordGrammar})`,
  read(value, place) {
    const read = text.read(value, place);
    if (read === null) return null;
    const query = parseKeywords(read);
    return query.kind === 'error' ? place.refuse('invalid_format', query.message, value) : query;
  },
};

const uuidOr = (reserved: string | undefined): ValueReader<string> => ({
  shape: reserved === undefined ? 'UUID' : `UUID or \`${reserved}\``,
  read(value, place) {
    const read = text.read(value, place);
    if (read === null || read === reserved) return read;
    return UUID.test(read) ? read.toLowerCase() : place.refuse('invalid_format', 'Input should be a valid UUID', value);
  },
});

export const uuid = uuidOr(undefined);
export const tagId = uuidOr(UNTAGGED);

const numberBetween = (least: number, most: number, shape: string, isFitting: (value: number) => boolean) => ({
  shape,
  read(value: unknown, place: VqlPlace): number | null {
    if (typeof value !== 'number' || !isFitting(value))
      return place.refuse('invalid_type', `Input should be a ${shape}`, value);
    if (value < least) return place.refuse('too_small', `Input should be at least ${least}`, value);
    return value > most ? place.refuse('too_big', `Input should be at most ${most}`, value) : value;
  },
});

export const fraction: ValueReader<number> = {
  ...numberBetween(0, 1, 'number', Number.isFinite),
  shape: 'number 0 to 1',
};

/** Of near duplicates. */
export const similarity: ValueReader<number> = {
  shape: `number ${LEAST_SIMILARITY} to 1`,
  read(value, place) {
    const read = fraction.read(value, place);
    return read === null || read >= LEAST_SIMILARITY ? read : place.refuse('too_small', NOT_KEPT, value);
  },
};

export const wholeNumber: ValueReader<number> = numberBetween(0, MAX_WHOLE_NUMBER, 'whole number', Number.isInteger);

export const oneOf = <T extends string>(names: readonly T[]): ValueReader<T> => ({
  shape: names.map((name) => `\`${name}\``).join(', '),
  read(value, place) {
    if (typeof value !== 'string') return place.refuse('invalid_type', 'Input should be a string', value);
    const known = names.find((name) => name === value);
    return known ?? place.refuse('invalid_value', `Input should be one of ${names.join(', ')}`, value);
  },
});

/** Without repetitions; never empty. */
export const listOf = <T>(item: ValueReader<T>): ValueReader<readonly T[]> => ({
  shape: `list of ${item.shape}`,
  read(value, place) {
    if (!Array.isArray(value)) return place.refuse('invalid_type', 'Input should be a list', value);
    if (value.length === 0) return place.refuse('too_small', 'Input should have at least one value', value);
    if (value.length > MAX_LIST_LENGTH)
      return place.refuse('too_big', `Input should have at most ${MAX_LIST_LENGTH} values`, value);
    const read = value.map((one: unknown, index) => item.read(one, place.at(index)));
    const whole = read.filter((one) => one !== null);
    return whole.length === read.length ? [...new Set(whole)] : null;
  },
});

export const oneOrMore = <T>(item: ValueReader<T>): ValueReader<readonly T[]> => ({
  shape: `${item.shape}, or a list`,
  read(value, place) {
    if (Array.isArray(value)) return listOf(item).read(value, place);
    const read = item.read(value, place);
    return read === null ? null : [read];
  },
});

export type Bounds = readonly [least: number, most: number];

export const bounds: ValueReader<Bounds> = {
  shape: '[least, most]',
  read(value, place) {
    if (!Array.isArray(value) || value.length !== 2)
      return place.refuse('invalid_type', 'Input should be a list of two whole numbers', value);
    const least = wholeNumber.read(value[0], place.at(0));
    const most = wholeNumber.read(value[1], place.at(1));
    if (least === null || most === null) return null;
    return least <= most
      ? [least, most]
      : place.refuse('invalid_value', 'The first should be at most the second', value);
  },
};
