import { extensionOf } from '../../../tables';

const EXAMPLES = 3;
const EXAMPLE_CHARACTERS = 300;

/** Counts places of a kind, with the first as examples. */
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

/** Counts files by extension. */
class ExtensionTally {
  private readonly counts = new Map<string, number>();
  private found = 0;

  add(path: string): void {
    this.found += 1;
    const extension = extensionOf(path).slice(0, EXTENSION_CHARACTERS);
    // Limits the memory for files with many different extensions.
    const counted = this.counts.has(extension) || this.counts.size < EXTENSIONS_COUNTED;
    if (counted) this.counts.set(extension, (this.counts.get(extension) ?? 0) + 1);
  }

  sentences(): string[] {
    if (this.found === 0) return [];
    const named = [...this.counts].toSorted(([, a], [, b]) => b - a).slice(0, EXTENSIONS_NAMED);
    const kinds = named.map(([name, count]) => `${count} ${name === '' ? 'without extension' : `.${name}`}`);
    const others = this.found - named.reduce((sum, [, count]) => sum + count, 0);
    const list = [...kinds, ...(others > 0 ? [`${others} others`] : [])].join(', ');
    return [`${this.found} ${this.found === 1 ? 'file' : 'files'} skipped by extension: ${list}.`];
  }
}

/** Places of a source that are skipped: unreadable folders and files, invalid entries, and unsupported files. */
export class UnreadablePlaces {
  private readonly byExtension = new ExtensionTally();
  private readonly unreadable = new Tally();
  private readonly skippedEntries = new Tally();

  get count(): number {
    return this.unreadable.count;
  }

  add(path: string, reason: string): void {
    this.unreadable.add(path, reason);
  }

  /** `reason` is the predicate of a sentence whose subject is the entry. */
  skip(entry: string, reason: string): void {
    this.skippedEntries.add(entry, reason);
  }

  /** For a file with an unsupported extension. */
  skipByExtension(path: string): void {
    this.byExtension.add(path);
  }

  /** A warning about files with unsupported extensions, if any. */
  extensionWarnings(): string[] {
    return this.byExtension.sentences();
  }

  /** Warnings for the user. */
  sentences(): string[] {
    return [
      ...this.unreadable.sentences('folder or file', 'folders or files', 'of the source could not be read'),
      ...this.skippedEntries.sentences('entry', 'entries', 'of the manifest skipped'),
    ];
  }
}
