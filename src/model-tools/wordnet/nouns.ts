import { DatabaseLine, databaseLines } from './database-lines';

const MAX_INDEX_BYTES = 16 * 1024 * 1024;
const MAX_DATA_BYTES = 64 * 1024 * 1024;
const GLOSS = ' | ';
/** The pointers to what a noun is a kind of, or an instance of. */
const BROADER: readonly string[] = ['@', '@i'];

/** The nouns of one meaning. */
export interface Synset {
  /** Its place in data.noun, where related meanings are near each other. */
  readonly offset: number;
  readonly names: readonly string[];
  readonly gloss: string;
  /** What it is a kind of. */
  readonly broader: readonly Synset[];
}

interface Entry {
  readonly senses: readonly Synset[];
  /** How many of the senses occur in the texts in which WordNet counted words. */
  readonly counted: number;
}

/** The nouns of WordNet, from its files `index.noun` and `data.noun`. */
export class Nouns {
  private constructor(private readonly entries: ReadonlyMap<string, Entry>) {}

  /** Throws WeightsRefusedError if the files are not those of WordNet. */
  static read(index: Buffer, data: Buffer): Nouns {
    const synsets = readSynsets(data);
    const entries = new Map<string, Entry>();
    for (const { place, text } of databaseLines('index.noun', index, MAX_INDEX_BYTES)) {
      const line = new DatabaseLine(place, text);
      const counted = 5 + line.count(3);
      const senses = Array.from(
        { length: line.count(2) },
        (_, sense) => synsets.get(line.whole(counted + 1 + sense)) ?? line.refuse(),
      );
      entries.set(nounOf(line.text(0)), { senses, counted: line.whole(counted) });
    }
    return new Nouns(entries);
  }

  /** All nouns, in lower case. */
  all(): Iterable<string> {
    return this.entries.keys();
  }

  /** The most frequent one first. */
  sensesOf(noun: string): readonly Synset[] {
    return this.entries.get(noun.toLowerCase())?.senses ?? [];
  }

  /** Whether a name of the synset is used in this sense, unlike "diapsid" or "cloth covering". */
  isEveryday(synset: Synset): boolean {
    return synset.names.some((name) => {
      const entry = this.entries.get(name.toLowerCase());
      return entry?.senses.slice(0, entry.counted).includes(synset);
    });
  }
}

/** A synset and everything that it is a kind of, the nearest first. Ends for circles too. */
export function withBroader(synset: Synset): ReadonlySet<Synset> {
  const found = new Set([synset]);
  // A set also visits what is added meanwhile.
  for (const { broader } of found) for (const each of broader) found.add(each);
  return found;
}

const nounOf = (lemma: string): string => lemma.toLowerCase().replaceAll('_', ' ');

interface UnlinkedSynset extends Synset {
  readonly broader: Synset[];
}

function readSynsets(data: Buffer): ReadonlyMap<number, Synset> {
  const synsets = new Map<number, UnlinkedSynset>();
  const links: { readonly from: UnlinkedSynset; readonly to: number; readonly line: DatabaseLine }[] = [];
  for (const { place, text } of databaseLines('data.noun', data, MAX_DATA_BYTES)) {
    const bar = text.indexOf(GLOSS);
    const line = new DatabaseLine(place, bar === -1 ? text : text.slice(0, bar));
    const nameCount = line.count(3, 16);
    const names = Array.from({ length: nameCount }, (_, at) => line.text(4 + 2 * at).replaceAll('_', ' '));
    const gloss = bar === -1 ? '' : text.slice(bar + GLOSS.length);
    const synset: UnlinkedSynset = { offset: line.whole(0), names, gloss, broader: [] };
    synsets.set(synset.offset, synset);
    const pointers = 4 + 2 * nameCount;
    for (let left = line.count(pointers), at = pointers + 1; left > 0; left--, at += 4)
      if (BROADER.includes(line.text(at))) links.push({ from: synset, to: line.whole(at + 1), line });
  }
  for (const { from, to, line } of links) from.broader.push(synsets.get(to) ?? line.refuse());
  return synsets;
}
