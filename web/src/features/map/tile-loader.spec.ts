import { TileLoader } from './tile-loader';
import { keyOf, type TileId } from './tile-tree';

const ids = (...xs: number[]): TileId[] => xs.map((x) => ({ z: 5, x, y: 0 }));

class Service {
  readonly asked: string[] = [];
  readonly aborted: string[] = [];
  readonly came: string[] = [];
  readonly failures: unknown[] = [];
  now = 0;
  private readonly answers = new Map<string, { resolve: (key: string) => void; reject: (error: Error) => void }>();
  readonly loader = new TileLoader<string>(
    {
      read: (id, signal) =>
        new Promise((resolve, reject) => {
          this.asked.push(keyOf(id));
          this.answers.set(keyOf(id), { resolve, reject });
          signal.addEventListener('abort', () => {
            this.aborted.push(keyOf(id));
            reject(new Error('aborted'));
          });
        }),
      onTile: (key) => this.came.push(key),
      onFailure: (error) => this.failures.push(error),
    },
    () => this.now,
  );

  async answer(key: string): Promise<void> {
    this.answers.get(key)!.resolve(key);
    await this.settle();
  }

  async fail(key: string): Promise<void> {
    this.answers.get(key)!.reject(new Error('away'));
    await this.settle();
  }

  settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
}

describe('TileLoader', () => {
  it('requests six tiles at once, highest priority first', async () => {
    const service = new Service();
    service.loader.want(ids(0, 1, 2, 3, 4, 5, 6, 7));
    expect(service.asked).toHaveLength(6);
    await service.answer('5/3/0');
    expect(service.came).toEqual(['5/3/0']);
    expect(service.asked.slice(6)).toEqual(['5/6/0']);
  });

  it('aborts requests of tiles that are no longer needed', async () => {
    const service = new Service();
    service.loader.want(ids(0, 1));
    service.loader.want(ids(1, 2));
    await service.settle();
    expect(service.aborted).toEqual(['5/0/0']);
    expect(service.asked).toEqual(['5/0/0', '5/1/0', '5/2/0']);
    expect(service.failures).toEqual([]);
  });

  it('repeats aborted requests of tiles that are needed again', () => {
    const service = new Service();
    service.loader.want(ids(0));
    service.loader.want([]);
    service.loader.want(ids(0));
    expect(service.asked).toEqual(['5/0/0', '5/0/0']);
  });

  it('repeats failed requests after a delay', async () => {
    const service = new Service();
    service.loader.want(ids(0));
    await service.fail('5/0/0');
    expect(service.failures).toHaveLength(1);
    service.loader.want(ids(0));
    expect(service.asked).toHaveLength(1);
    service.now = 3_001;
    service.loader.want(ids(0));
    expect(service.asked).toHaveLength(2);
  });

  it('does not notify after it was stopped', async () => {
    const service = new Service();
    service.loader.want(ids(0));
    service.loader.stop();
    await service.answer('5/0/0');
    expect(service.came).toEqual([]);
    expect(service.failures).toEqual([]);
  });
});
