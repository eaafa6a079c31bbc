interface Closable {
  close(): Promise<void>;
}

interface Kept<Opened> {
  readonly opening: Promise<Opened>;
  users: number;
}

/** An LRU cache of open models by id, opened on first use. */
export class KeptModels<Opened extends Closable> {
  private readonly kept = new Map<string, Kept<Opened>>();

  constructor(
    private readonly open: (id: string) => Promise<Opened>,
    private readonly most: number,
  ) {}

  async use<Result>(id: string, work: (opened: Opened) => Promise<Result>): Promise<Result> {
    const model = this.take(id);
    model.users += 1;
    try {
      return await work(await model.opening);
    } finally {
      model.users -= 1;
      await this.closeOld();
    }
  }

  /** Closes all; none may be in use. */
  async close(): Promise<void> {
    const all = [...this.kept.values()];
    this.kept.clear();
    for (const { opening } of all) await (await opening).close();
  }

  private take(id: string): Kept<Opened> {
    const known = this.kept.get(id);
    const model = known ?? { opening: this.open(id), users: 0 };
    // Moves it to the most recently used position.
    this.kept.delete(id);
    this.kept.set(id, model);
    if (known === undefined) model.opening.catch(() => this.kept.delete(id));
    return model;
  }

  private async closeOld(): Promise<void> {
    for (const [id, { opening, users }] of this.kept) {
      if (this.kept.size <= this.most) return;
      if (users > 0) continue;
      this.kept.delete(id);
      await (await opening).close();
    }
  }
}
