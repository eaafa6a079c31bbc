interface Waiting {
  readonly alone: boolean;
  readonly begin: () => void;
}

/** A semaphore in order of arrival. Exclusive work waits until nothing else runs and blocks everything that arrives after it. */
export class Turns {
  private readonly waiting: Waiting[] = [];
  private running = 0;
  private isAlone = false;

  constructor(private readonly atOnce: number) {}

  async run<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      this.waiting.push({ alone, begin });
      this.admit();
    });
    try {
      return await work();
    } finally {
      this.running -= 1;
      if (alone) this.isAlone = false;
      this.admit();
    }
  }

  private admit(): void {
    for (let next = this.waiting[0]; next && this.hasRoomFor(next); next = this.waiting[0]) {
      this.waiting.shift();
      this.running += 1;
      this.isAlone = next.alone;
      next.begin();
    }
  }

  private hasRoomFor({ alone }: Waiting): boolean {
    return !this.isAlone && this.running < (alone ? 1 : this.atOnce);
  }
}
