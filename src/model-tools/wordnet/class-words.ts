import { plainNoun } from '../../common/engine/models/texts/noun-phrases';
import { classesBelow, type ImageNetClass } from './image-net-classes';
import { withBroader, type Nouns, type Synset } from './nouns';

/** A noun for more than this share of all classes, such as "artifact", says nothing about a picture. */
const MAX_SHARE = 0.5;
/** What a noun without classes below it is a kind of counts, where that has few classes: a sneaker is like other shoes. */
const MAX_NEAR_CLASSES = 5;
/** The most classes of things that are alike, such as garments. */
const MAX_LIKE_CLASSES = 30;

/** What words.json contains: which classes a noun stands for. */
export interface ClassWords {
  /** The label of each class. */
  readonly classes: readonly string[];
  /** By noun in its plain form, the indexes of classes. */
  readonly words: Readonly<Record<string, readonly number[]>>;
}

export function classWords(nouns: Nouns, classes: readonly ImageNetClass[]): ClassWords {
  const meanings = new NounMeanings(nouns, classes);
  const words = new Map<string, readonly number[]>();
  for (const noun of nouns.all()) {
    const meaning = meanings.of(noun);
    const plain = plainNoun(noun);
    if (meaning.length > 0 && meaning.length <= classes.length * MAX_SHARE && !words.has(plain))
      words.set(plain, meaning);
  }
  return { classes: classes.map(({ label }) => label), words: Object.fromEntries(words) };
}

class NounMeanings {
  private readonly below: ReadonlyMap<Synset, readonly number[]>;
  private readonly ends: ReadonlyMap<string, readonly number[]>;
  private readonly isClass: ReadonlySet<Synset>;

  constructor(
    private readonly nouns: Nouns,
    classes: readonly ImageNetClass[],
  ) {
    this.below = classesBelow(classes);
    this.ends = classesByEndOfName(classes);
    this.isClass = new Set(classes.map(({ synset }) => synset));
  }

  /** The classes that a noun stands for; empty if it is near none. */
  of(noun: string): readonly number[] {
    const senses = this.nouns.sensesOf(noun);
    const [first] = senses;
    if (first === undefined) return [];
    const found = this.within(first);
    if (found.length > 0) return found;
    // "Tiger" is a person first, and "mouse" an animal without a class.
    const named = senses.find((sense) => this.isClass.has(sense));
    if (named !== undefined) return this.within(named);
    const near = this.near(first);
    if (near.length > 0) return near;
    return senses.map((sense) => this.within(sense)).find(({ length }) => length > 0) ?? [];
  }

  private within(synset: Synset): readonly number[] {
    return this.below.get(synset) ?? [];
  }

  private near(synset: Synset): readonly number[] {
    const kinds = synset.broader.filter((each) => this.nouns.isEveryday(each));
    const found = new Set(kinds.flatMap((each) => this.within(each)));
    return [...new Set([...(found.size <= MAX_NEAR_CLASSES ? found : []), ...this.namedAlike(synset)])];
  }

  /** Classes that end with an unambiguous name of the synset, as "swimming trunks", which WordNet has among swimsuits only. */
  private namedAlike(synset: Synset): number[] {
    const named = synset.names
      .filter((name) => this.nouns.sensesOf(name).length === 1)
      .flatMap((name) => this.ends.get(name.toLowerCase()) ?? []);
    if (named.length === 0) return [];
    const alike = [...withBroader(synset)].map((each) => this.within(each));
    return named.filter((index) =>
      alike.some((classes) => classes.length <= MAX_LIKE_CLASSES && classes.includes(index)),
    );
  }
}

function classesByEndOfName(classes: readonly ImageNetClass[]): ReadonlyMap<string, readonly number[]> {
  const ends = new Map<string, number[]>();
  for (const [index, { synset }] of classes.entries())
    for (const name of synset.names) {
      const words = name.toLowerCase().split(' ');
      for (let first = 1; first < words.length; first++) {
        const end = words.slice(first).join(' ');
        ends.set(end, [...(ends.get(end) ?? []), index]);
      }
    }
  return ends;
}
