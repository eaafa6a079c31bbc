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

/** What of a source can't be taken in: folders and files that can't be read, and entries of a manifest that are of no use. */
export class UnreadablePlaces {
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

  /** Sentences for a person, or none. */
  sentences(): string[] {
    return [
      ...this.unreadable.sentences('folder or file', 'folders or files', 'of the source could not be read'),
      ...this.passedOver.sentences('entry', 'entries', 'of the manifest passed over'),
    ];
  }
}
