import type { DrawnObject, Scene } from '../../../sample/drawing';
import { drawOddity, ODDITY_COUNT } from '../../../sample/families/oddities';
import { SAMPLE_FAMILIES } from '../../../sample/sample-plan';
import type { SeededRandom } from '../../../sample/seeded-random';
import { withArticle, type Group, type KnownObject, type KnownScene } from './scene';

const COLOURS = [
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'purple',
  'pink',
  'white',
  'brown',
  'grey',
  'black',
];

/** The sample chooses these words at random, so they cannot be derived from the picture. The first word replaces the others. */
const BY_LOT: readonly (readonly [RegExp, string])[] = [
  [/^(A glowing|A golden|An orange|A red) sunset over (purple|dark|jagged)/, 'A golden sunset over dark'],
  [/^A (dense|deep|misty|quiet) forest/, 'A deep forest'],
  [/^A pattern of (bold|slanting|diagonal)/, 'A pattern of diagonal'],
  [/^A (red|reddish|brick-red) wall/, 'A red wall'],
];

const PLURALS: Readonly<Record<string, string>> = {
  cactus: 'cacti',
  fish: 'fish',
  snowman: 'snowmen',
  house: 'houses',
};

/** The caption without words that cannot be derived from the picture. */
export function visibleCaption(caption: string): string {
  return BY_LOT.reduce((text, [pattern, words]) => text.replace(pattern, words), caption);
}

/** A scene of the sample with its annotations. */
export function knownSampleScene(drawing: Scene): KnownScene {
  const caption = visibleCaption(drawing.caption);
  const kinds = [...new Set(drawing.objects.map(({ label }) => label))];
  const groups = kinds.map((kind) => groupOf(drawing, kind));
  return {
    drawing,
    caption,
    otherCaptions: [drawing.caption],
    labels: drawing.labels,
    groups,
    objects: drawing.objects.map((object) => knownObject(drawing, object)),
  };
}

export function drawSampleScene(random: SeededRandom): KnownScene {
  return knownSampleScene(random.pick(SAMPLE_FAMILIES).draw(random));
}

export function drawSampleOddity(random: SeededRandom): KnownScene {
  return knownSampleScene(drawOddity(random.integer(0, ODDITY_COUNT - 1), random));
}

function groupOf(drawing: Scene, kind: string): Group {
  const count = drawing.objects.filter(({ label }) => label === kind).length;
  return { kind, plural: PLURALS[kind] ?? `${kind}s`, count, colours: coloursOf(drawing, kind) };
}

/** The colours that the caption names for this kind, in drawing order and without duplicates. */
function coloursOf({ caption, labels }: Scene, kind: string): string[] {
  if (labels.includes('fruit') || kind === 'snowman') return [];
  const subject = caption.split(/ (?:stands?|drifts?|swims?|floats?|grows?|on|in a sandy) /)[0]!;
  return [...subject.toLowerCase().matchAll(/[a-z]+/g)].map(([word]) => word).filter((word) => COLOURS.includes(word));
}

/** With several objects of different colours, an object's colour is known only if no colour occurs twice. */
function knownObject(drawing: Scene, object: DrawnObject): KnownObject {
  const { label: kind } = object;
  const alike = drawing.objects.filter(({ label }) => label === kind);
  const colours = coloursOf(drawing, kind);
  const colour = colours.length === alike.length ? colours[alike.indexOf(object)] : colours.at(0);
  const isKnown = colours.length <= 1 || colours.length === alike.length;
  const phrase = colour === undefined ? kind : `${colour} ${kind}`;
  return { ...object, phrase: isKnown ? withArticle(phrase) : null };
}
