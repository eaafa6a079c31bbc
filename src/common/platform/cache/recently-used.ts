/**
 * Keeps the values used last, at least half of `most` and at most `most`. For many small values: a map from which the oldest is deleted each
 * time looks for the next one among all that were deleted.
 */
export class RecentlyUsed<V> {
  private recent = new Map<string, V>();
  private before = new Map<string, V>();

  constructor(private readonly most: number) {}

  get(key: string): V | undefined {
    const value = this.recent.get(key);
    if (value !== undefined) return value;
    const older = this.before.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: V): void {
    if (this.recent.size * 2 >= this.most && !this.recent.has(key)) {
      this.before = this.recent;
      this.recent = new Map();
    }
    this.recent.set(key, value);
  }
}
