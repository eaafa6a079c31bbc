const UNLABELLED = 'object';

/** The labels of objects, numbered from 0 in order of first occurrence. */
export class Categories {
  private readonly numbers = new Map<string, number>();

  get names(): string[] {
    return [...this.numbers.keys()];
  }

  numberOf(label: string | undefined): number {
    const name = label ?? UNLABELLED;
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(name, number);
    }
    return number;
  }
}
