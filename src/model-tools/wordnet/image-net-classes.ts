import { WeightsRefusedError } from '../packages/converter';
import { databaseLines } from './database-lines';
import { withBroader, type Nouns, type Synset } from './nouns';
import { PLAIN_LABELS } from './plain-labels';

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_CLASSES = 1_000;
/** What stands for how a noun is used, such as "(plural)". */
const USAGE = /^\([^)]*\) /;
const COMPARED_LENGTH = 30;

/** A class of the classifiers that were trained with ImageNet. */
export interface ImageNetClass {
  /** What people call it: one noun. */
  readonly label: string;
  readonly synset: Synset;
}

/** Text files with a class on each line. */
export interface ImageNetFiles {
  /** The ids of the classes, in the order of a classifier's outputs. */
  readonly synsets: Buffer;
  /** Id, tabulator, nouns separated by commas; of these classes and others. */
  readonly lemmas: Buffer;
  /** Id, tabulator, definition. */
  readonly definitions: Buffer;
}

/** The classes in the order of a classifier's outputs. Throws WeightsRefusedError. */
export function imageNetClasses(nouns: Nouns, { synsets, lemmas, definitions }: ImageNetFiles): ImageNetClass[] {
  const namesOf = readPairs('The list of nouns', lemmas);
  const definitionOf = readPairs('The list of definitions', definitions);
  const classes: ImageNetClass[] = [];
  for (const { place, text: id } of databaseLines('the list of classes', synsets, MAX_BYTES)) {
    const names = namesOf.get(id)?.split(', ');
    const synset = names && synsetOf(nouns, id, names, definitionOf.get(id) ?? '');
    if (!synset || classes.length === MAX_CLASSES)
      throw new WeightsRefusedError(`${place} is not one of ${MAX_CLASSES} classes that WordNet 3.1 has.`);
    classes.push({ label: PLAIN_LABELS.get(id) ?? names[0]!, synset });
  }
  return classes;
}

/** For each synset that is or includes a class, the indexes of its classes. */
export function classesBelow(classes: readonly ImageNetClass[]): ReadonlyMap<Synset, readonly number[]> {
  const below = new Map<Synset, number[]>();
  for (const [index, { synset }] of classes.entries())
    for (const each of withBroader(synset)) {
      const indexes = below.get(each);
      if (indexes === undefined) below.set(each, [index]);
      else indexes.push(index);
    }
  return below;
}

function readPairs(name: string, content: Buffer): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  for (const { text } of databaseLines(name, content, MAX_BYTES)) {
    const [id, value] = text.split('\t', 2);
    pairs.set(id!, value ?? '');
  }
  return pairs;
}

/** The ids are those of WordNet 3.0, so the synset is found by its names, its definition, and its place in the file. */
function synsetOf(nouns: Nouns, id: string, names: readonly string[], definition: string): Synset | undefined {
  const wanted = new Set(names.flatMap((name) => [name.toLowerCase(), `${name.toLowerCase()}s`]));
  const offset = Number(id.slice(1));
  const candidates = new Set([...wanted].flatMap((name) => nouns.sensesOf(name)));
  const ranked = Array.from(candidates, (synset) => {
    const common = synset.names.filter((name) => wanted.has(name.toLowerCase())).length;
    const isSame = beginningOf(synset.gloss) === beginningOf(definition) ? 1 : 0;
    const likeness = isSame + common / (synset.names.length + names.length - common);
    return { synset, likeness, away: Math.abs(synset.offset - offset) };
  });
  return ranked.sort((a, b) => b.likeness - a.likeness || a.away - b.away)[0]?.synset;
}

const beginningOf = (definition: string): string => definition.replace(USAGE, '').slice(0, COMPARED_LENGTH);
