import { countOf, listOf, type DrawnObject, type Scene } from '../../../sample/drawing';
import type { SeededRandom } from '../../../sample/seeded-random';

/** Things of one kind in a picture. */
export interface Group {
  readonly kind: string;
  readonly plural: string;
  readonly count: number;
  /** Each colour once, in the order in which the caption names them; empty if it names none. */
  readonly colours: readonly string[];
}

export interface KnownObject extends DrawnObject {
  /** Null if the drawing does not tell which of the colours it has. */
  readonly phrase: string | null;
}

/** A drawing and all that the models are to learn about it. */
export interface KnownScene {
  readonly drawing: Scene;
  /** In words that can be seen in the picture. */
  readonly caption: string;
  /** Other captions that are as true. */
  readonly otherCaptions: readonly string[];
  readonly labels: readonly string[];
  readonly groups: readonly Group[];
  readonly objects: readonly KnownObject[];
}

/** A text, and the facts of which all have to hold for a picture that it describes. */
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

/** Whether the count of a group is that of all such things in the picture. */
const isCounted = (kind: string, groups: readonly Group[]): boolean =>
  groups.filter((group) => group.kind === kind).length === 1;

/** The caption, and shorter texts as people search with. */
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
  // Only a count of things of one colour is a count of things of that colour.
  if (hasCount && random.chance(0.3) && (colour === null || colours.length === 1)) {
    facts.push(`count:${kind}:${count}`);
    return count === 1 ? `one ${name(kind)}` : `${NUMBERS[count] ?? 'many'} ${name(plural)}`;
  }
  return random.pick([withArticle(name(kind)), name(kind), name(plural)]);
}
