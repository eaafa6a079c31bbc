/** What is read when it is first asked for, and then kept; after a failure it is read again. */
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
