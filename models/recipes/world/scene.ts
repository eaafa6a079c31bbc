import { countOf, listOf, type DrawnObject, type Scene } from '../../../sample/drawing';
import type { SeededRandom } from '../../../sample/seeded-random';

/** The objects of one kind in a picture. */
export interface Group {
  readonly kind: string;
  readonly plural: string;
  readonly count: number;
  /** Each colour once, in the order of the caption; empty if the caption names no colour. */
  readonly colours: readonly string[];
}

export interface KnownObject extends DrawnObject {
  /** Null if it is unknown which of the colours the object has. */
  readonly phrase: string | null;
}

/** A drawing and its annotations for training. */
export interface KnownScene {
  readonly drawing: Scene;
  /** Uses only words that can be derived from the picture. */
  readonly caption: string;
  /** Alternative captions that are also true. */
  readonly otherCaptions: readonly string[];
  readonly labels: readonly string[];
  readonly groups: readonly Group[];
  readonly objects: readonly KnownObject[];
}

/** A text, and the facts that must all hold for a picture that it describes. */
export interface DescribingText {
  readonly text: string;
  readonly facts: readonly string[];
}

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const OPENINGS = ['', '', '', 'a photo of ', 'a picture of ', 'an image of ', 'a scene with '];

export const withArticle = (words: string): string => `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;

/** "a red circle", "two red circles" */
export function groupPhrase({ kind, plural, count, colours }: Group): string {
  const colour = colours.length === 0 ? '' : `${listOf(colours)} `;
  return count === 1 ? withArticle(`${colour}${kind}`) : countOf(count, '', `${colour}${plural}`);
}

export function factsOf({ caption, labels, groups }: KnownScene): string[] {
  const ofGroups = groups.flatMap(({ kind, count, colours }) => [
    `thing:${kind}`,
    ...(isCounted(kind, groups) ? [`count:${kind}:${count}`] : []),
    ...colours.map((colour) => `thing:${kind}:${colour}`),
  ]);
  return [...new Set([`caption:${caption}`, ...labels.map((label) => `label:${label}`), ...ofGroups])];
}

/** Whether the count of a group is the count of all objects of its kind in the picture. */
const isCounted = (kind: string, groups: readonly Group[]): boolean =>
  groups.filter((group) => group.kind === kind).length === 1;

/** The caption, and shorter texts like those of searches. */
export function describingTexts(scene: KnownScene, random: SeededRandom, count: number): DescribingText[] {
  const facts = [`caption:${scene.caption}`];
  const other = random.pick([scene.caption, ...scene.otherCaptions]);
  const shorter = Array.from({ length: count - 1 }, () => shortText(scene, random));
  return [{ text: other, facts }, ...shorter];
}

function shortText({ labels, groups }: KnownScene, random: SeededRandom): DescribingText {
  const facts: string[] = [];
  const words: string[] = [];
  for (const group of random.shuffled(groups).slice(0, random.integer(groups.length > 0 ? 1 : 0, 2))) {
    words.push(groupText(group, isCounted(group.kind, groups), random, facts));
  }
  const extra = random.shuffled(labels.filter((label) => !groups.some(({ kind }) => kind === label)));
  for (const label of extra.slice(0, random.integer(words.length > 0 ? 0 : 1, 2))) {
    words.push(label);
    facts.push(`label:${label}`);
  }
  if (words.length === 0) {
    const label = random.pick(labels);
    words.push(label);
    facts.push(`label:${label}`);
  }
  const joined = words.join(random.pick([' ', ', ', ' and ', ' with ', ' in ', ' at ']));
  return { text: random.pick(OPENINGS) + joined, facts };
}

function groupText(
  { kind, plural, count, colours }: Group,
  hasCount: boolean,
  random: SeededRandom,
  facts: string[],
): string {
  facts.push(`thing:${kind}`);
  const colour = colours.length > 0 && random.chance(0.6) ? random.pick(colours) : null;
  if (colour !== null) facts.push(`thing:${kind}:${colour}`);
  const name = (word: string): string => (colour === null ? word : `${colour} ${word}`);
  // With several colours, the count is not the number of objects of this colour.
  if (hasCount && random.chance(0.3) && (colour === null || colours.length === 1)) {
    facts.push(`count:${kind}:${count}`);
    return count === 1 ? `one ${name(kind)}` : `${NUMBERS[count] ?? 'many'} ${name(plural)}`;
  }
  return random.pick([withArticle(name(kind)), name(kind), name(plural)]);
}
