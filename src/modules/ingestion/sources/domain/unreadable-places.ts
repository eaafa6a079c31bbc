import { extensionOf } from './media-formats';

const EXAMPLES = 3;
const EXAMPLE_CHARACTERS = 300;

/** How many there are of a kind, and the first of them. */
class Tally {
  private readonly examples: string[] = [];
  private found = 0;

  get count(): number {
    return this.found;
  }

  add(path: string, reason: string): void {
    this.found += 1;
    if (this.examples.length < EXAMPLES) this.examples.push(`${path} (${reason})`.slice(0, EXAMPLE_CHARACTERS));
  }

  sentences(one: string, many: string, what: string): string[] {
    if (this.found === 0) return [];
    const noun = this.found === 1 ? `1 ${one}` : `${this.found} ${many}`;
    return [`${noun} ${what}: ${this.examples.join(', ')}${this.found > EXAMPLES ? ' and others' : ''}.`];
  }
}

const EXTENSIONS_NAMED = 5;
const EXTENSIONS_COUNTED = 1000;
const EXTENSION_CHARACTERS = 20;

/** How many files there are of each extension. */
class ExtensionTally {
  private readonly counts = new Map<string, number>();
  private found = 0;

  add(path: string): void {
    this.found += 1;
    const extension = extensionOf(path).slice(0, EXTENSION_CHARACTERS);
    // Whoever names a million files as they like must not fill the memory.
    const counted = this.counts.has(extension) || this.counts.size < EXTENSIONS_COUNTED;
    if (counted) this.counts.set(extension, (this.counts.get(extension) ?? 0) + 1);
  }

  sentences(): string[] {
    if (this.found === 0) return [];
    const named = [...this.counts].toSorted(([, a], [, b]) => b - a).slice(0, EXTENSIONS_NAMED);
    const kinds = named.map(([name, count]) => `${count} ${name === '' ? 'without extension' : `.${name}`}`);
    const others = this.found - named.reduce((sum, [, count]) => sum + count, 0);
    const list = [...kinds, ...(others > 0 ? [`${others} others`] : [])].join(', ');
    return [`${this.found} ${this.found === 1 ? 'file' : 'files'} passed over by extension: ${list}.`];
  }
}

/** What of a source can't be taken in: folders and files that can't be read, and what is of no use. */
export class UnreadablePlaces {
  private readonly byExtension = new ExtensionTally();
  private readonly unreadable = new Tally();
  private readonly passedOver = new Tally();

  get count(): number {
    return this.unreadable.count;
  }

  add(path: string, reason: string): void {
    this.unreadable.add(path, reason);
  }

  /** `reason` is the end of a sentence that begins with the entry. */
  passOver(entry: string, reason: string): void {
    this.passedOver.add(entry, reason);
  }

  /** Of a file whose extension is that of no format. */
  passOverFile(path: string): void {
    this.byExtension.add(path);
  }

  /** What was passed over by its extension, as a sentence for a person, or none. */
  extensionSentences(): string[] {
    return this.byExtension.sentences();
  }

  /** Sentences for a person, or none. */
  sentences(): string[] {
    return [
      ...this.unreadable.sentences('folder or file', 'folders or files', 'of the source could not be read'),
      ...this.passedOver.sentences('entry', 'entries', 'of the manifest passed over'),
    ];
  }
}
