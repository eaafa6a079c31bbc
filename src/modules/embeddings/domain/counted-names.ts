const MAX_NAMES = 20;

/** How many media, and the names of the first. */
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
    return others === 0 ? this.names.join(', ') : `${this.names.join(', ')} and ${others} more`;
  }
}
