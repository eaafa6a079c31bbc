/** A value that is read on first use and then kept; after a failure it is read again. */
export class ReadOnce<T> {
  private kept: Promise<T> | undefined;

  constructor(private readonly read: () => Promise<T>) {}

  get(): Promise<T> {
    this.kept ??= this.read().catch((error: unknown) => {
      this.kept = undefined;
      throw error;
    });
    return this.kept;
  }
}
