import pMap from 'p-map';
import { StartError } from '../../common/platform/config/start-error';
import { ObjectNotFoundError, type ObjectStore, type StoredObject } from '../../common/platform/storage/object-store';
import { compareKeys } from '../../common/platform/storage/object-key';
import { STORE_MARK_KEY } from '../../common/platform/installation/store-mark';
import { isOwnKey, OWN_PREFIXES } from '../../modules/ingestion';
import { Digest, digestOf } from './line-file';
import { copyKey, type CopiedObject } from './manifest';

const AT_ONCE = 8;

/** Uploads on their way, of which those that are cut off are removed by a sweep; and what is made again from a table. */
const LEFT_OUT = ['staging/', 'quantised/'];

/** Work of running tasks first, for it is deleted when they end. */
const FIRST = ['work/', 'exports/', 'tags/', 'edges/', 'keys/', 'tables/'];
const ORDER = [STORE_MARK_KEY, ...FIRST, ...OWN_PREFIXES.filter((prefix) => ![...FIRST, ...LEFT_OUT].includes(prefix))];

const rankOf = (key: string): number => ORDER.findIndex((prefix) => key.startsWith(prefix));
const compare = (a: string, b: string): number => rankOf(a) - rankOf(b) || compareKeys(a, b);

export interface CopyCounts {
  /** Written now, and read back. */
  copied: number;
  copiedBytes: number;
  /** In an earlier backup already. */
  kept: number;
  bytes: number;
}

/** Copies what the service wrote into the store; what an earlier backup has with the same size and etag is not read again. */
export class ObjectCopier {
  readonly counts: CopyCounts = { copied: 0, copiedBytes: 0, kept: 0, bytes: 0 };

  constructor(
    private readonly store: ObjectStore,
    private readonly target: ObjectStore,
  ) {}

  /** In the order in which `previous` lists its objects, too. */
  async *copyAll(previous: AsyncIterable<CopiedObject>): AsyncGenerator<CopiedObject> {
    const earlier = new InOrder(previous);
    for (const prefix of ORDER) {
      let after: string | undefined;
      do {
        const page = await this.store.list(prefix, after === undefined ? {} : { after });
        const pairs: [StoredObject, CopiedObject | undefined][] = [];
        for (const object of page.objects) {
          if (isOwnKey(object.key)) pairs.push([object, await earlier.find(object.key)]);
        }
        const copies = await pMap(pairs, ([object, known]) => this.copy(object, known), { concurrency: AT_ONCE });
        for (const copy of copies) if (copy !== undefined) yield copy;
        after = page.next;
      } while (after !== undefined);
    }
    await earlier.close();
  }

  /** Undefined if it was deleted since it was listed. */
  private async copy(object: StoredObject, known: CopiedObject | undefined): Promise<CopiedObject | undefined> {
    if (known?.etag === object.etag && known.size === object.size) {
      if ((await this.target.head(known.copy))?.size === known.size) {
        this.counts.kept += 1;
        this.counts.bytes += known.size;
        return known;
      }
    }
    const { key, etag } = object;
    const copy = copyKey(key, object.size, etag);
    const digest = new Digest();
    try {
      const source = await this.store.get(key);
      source.on('error', (error) => digest.destroy(error));
      await this.target.put(copy, source.pipe(digest));
    } catch (error) {
      if (error instanceof ObjectNotFoundError) return undefined;
      throw error;
    }
    const { size, sha256 } = digest.result();
    if ((await digestOf(await this.target.get(copy))).sha256 !== sha256)
      throw new StartError(`The copy of ${key} differs from what was written: the place of the backup is damaged.`);
    this.counts.copied += 1;
    this.counts.copiedBytes += size;
    this.counts.bytes += size;
    return { key, etag, size, sha256, copy };
  }
}

/** Finds keys that are asked for in order, with one object in memory. */
class InOrder {
  private readonly objects: AsyncIterator<CopiedObject>;
  private current: CopiedObject | undefined;
  private isDone = false;

  constructor(objects: AsyncIterable<CopiedObject>) {
    this.objects = objects[Symbol.asyncIterator]();
  }

  async find(key: string): Promise<CopiedObject | undefined> {
    while (!this.isDone && (this.current === undefined || compare(this.current.key, key) < 0)) {
      const next = await this.objects.next();
      this.isDone = next.done === true;
      this.current = next.done === true ? undefined : next.value;
    }
    return this.current?.key === key ? this.current : undefined;
  }

  async close(): Promise<void> {
    await this.objects.return?.();
  }
}
