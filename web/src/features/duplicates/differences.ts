import { texts } from '../../texts';
import { formatBytes, formatDecimal, formatPercent, formatTime } from '../../texts/format';
import type { Member } from './duplicate-queries';

const { member: words } = texts.duplicates;

export interface Fact {
  readonly name: string;
  readonly text: string;
  /** Whether the members of the group are not all the same in it. */
  readonly differs: boolean;
  /** Whether it is the best of the group in it. */
  readonly isBest: boolean;
}

export const folderOf = ({ original_uri: path }: Member): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

interface Kind {
  readonly name: string;
  readonly valueOf: (member: Member) => string | number | null;
  readonly textOf: (member: Member) => string;
  /** The best one: the largest, or the smallest. */
  readonly best?: 'most' | 'least';
}

const KINDS: readonly Kind[] = [
  {
    name: words.pixels,
    valueOf: ({ width, height }) => width * height,
    textOf: ({ width, height }) => words.size(width, height),
    best: 'most',
  },
  {
    name: words.bytes,
    valueOf: (each) => each.size_bytes,
    textOf: (each) => formatBytes(each.size_bytes),
    best: 'most',
  },
  {
    name: words.sharpness,
    valueOf: ({ sharpness }) => sharpness,
    textOf: ({ sharpness }) => (sharpness === null ? '' : formatDecimal(sharpness, 0)),
    best: 'most',
  },
  {
    name: words.added,
    valueOf: (each) => each.added_at,
    textOf: (each) => (each.added_at === null ? '' : formatTime(each.added_at)),
    best: 'least',
  },
  { name: words.folder, valueOf: folderOf, textOf: (each) => folderOf(each) || words.root },
];

/** The facts of each member, with the differences between them. */
export function factsOf(members: readonly Member[]): readonly (readonly Fact[])[] {
  const kinds = KINDS.map((kind) => {
    const values = members.map(kind.valueOf);
    const differs = new Set(values).size > 1;
    const sorted = values.filter((value) => value !== null).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return { ...kind, values, differs, bestValue: kind.best === 'most' ? sorted.at(-1) : sorted[0] };
  });
  return members.map((member, at) =>
    kinds.map(({ name, textOf, values, differs, best, bestValue }) => ({
      name,
      text: textOf(member),
      differs,
      // A value that most of them have is no advantage.
      isBest: best !== undefined && values[at] === bestValue && 2 * countOf(values, bestValue) <= values.length,
    })),
  );
}

const countOf = <Value>(values: readonly Value[], wanted: Value): number =>
  values.filter((value) => value === wanted).length;

/** The similarity of the members of a group, in words. */
export function likenessOf(members: readonly Member[]): string {
  const [, ...others] = members;
  const least = Math.min(...others.map(({ similarity }) => similarity ?? 0));
  const { identical, alike } = texts.duplicates.group;
  const isSame = others.every(({ sha256 }) => sha256 === members[0]?.sha256);
  return isSame ? identical : alike(Math.min(least, 0.999));
}

export const likeness = (value: number | null): string => (value === null ? '' : formatPercent(value));
