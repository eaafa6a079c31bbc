const EXAMPLES = 3;
const EXAMPLE_CHARACTERS = 300;

/** The folders and files of a source that are there and can't be read: how many, and the first of them. */
export class UnreadablePlaces {
  private readonly examples: string[] = [];
  private found = 0;

  get count(): number {
    return this.found;
  }

  add(path: string, reason: string): void {
    this.found += 1;
    if (this.examples.length < EXAMPLES) this.examples.push(`${path} (${reason})`.slice(0, EXAMPLE_CHARACTERS));
  }

  /** A sentence for a person, or none. */
  sentences(): string[] {
    if (this.found === 0) return [];
    const [noun, others] = [
      this.found === 1 ? '1 folder or file' : `${this.found} folders or files`,
      this.found > EXAMPLES ? ' and others' : '',
    ];
    return [`${noun} of the source could not be read: ${this.examples.join(', ')}${others}.`];
  }
}
