const MAX_NAMES = 20;

/** How many media, and the names of the first, in order: that of a table is arbitrary. */
export class CountedNames {
  private readonly names: string[] = [];
  private counted = 0;

  get count(): number {
    return this.counted;
  }

  add(name: string): void {
    this.counted += 1;
    if (this.names.length < MAX_NAMES) this.names.push(name);
  }

  toString(): string {
    const others = this.counted - this.names.length;
    const shown = [...this.names].sort().join(', ');
    return others === 0 ? shown : `${shown} and ${others} more`;
  }
}
