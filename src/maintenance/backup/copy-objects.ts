import { pMapIterable, pMapSkip } from 'p-map';
import { StartError } from '../../common/platform/config/configuration-error';
import {
  everyObject,
  ObjectNotFoundError,
  type ObjectStore,
  type StoredObject,
} from '../../common/platform/storage/object-store';
import { compareKeys } from '../../common/platform/storage/object-key';
import { STORE_MARK_KEY } from '../../common/platform/installation/store-identity';
import { isOwnKey, OWN_PREFIXES } from '../../modules/ingestion';
import { Digest, digestOf } from './line-file';
import { copyKey, type CopiedObject } from './manifest';

const AT_ONCE = 8;

/** Unfinished uploads, which a sweep removes, and files that can be created again from a table. */
const LEFT_OUT = ['staging/', 'quantised/'];

/** The order of the lists of all backups. */
const FIRST = ['work/', 'exports/', 'tags/', 'annotations/', 'evaluations/', 'edges/', 'keys/', 'tables/'];
const ORDER = [STORE_MARK_KEY, ...FIRST, ...OWN_PREFIXES.filter((prefix) => ![...FIRST, ...LEFT_OUT].includes(prefix))];

const rankOf = (key: string): number => ORDER.findIndex((prefix) => key.startsWith(prefix));
const compare = (a: string, b: string): number => rankOf(a) - rankOf(b) || compareKeys(a, b);

export interface CopyCounts {
  /** Copied by this backup, and verified. */
  copied: number;
  copiedBytes: number;
  /** Copied by an earlier backup, whether complete or not. */
  kept: number;
  bytes: number;
}

/** Lists of earlier copies, in the order in which `copyAll` returns objects. */
export interface EarlierCopies {
  /** The list of the latest backup. */
  readonly complete: AsyncIterable<CopiedObject>;
  /** The lists of interrupted backups. */
  readonly cutOff: readonly AsyncIterable<CopiedObject>[];
}

interface Listed {
  readonly object: StoredObject;
  /** The copies of the object, if there are any. */
  readonly inBackup: CopiedObject | undefined;
  readonly cutOff: CopiedObject | undefined;
}

export interface Copied {
  readonly object: CopiedObject;
  /** Whether the latest backup contains it. */
  readonly isInBackup: boolean;
}

/** Copies the objects of the service in the store. Objects for which a copy with the same size and etag exists are not read again. */
export class ObjectCopier {
  readonly counts: CopyCounts = { copied: 0, copiedBytes: 0, kept: 0, bytes: 0 };

  constructor(
    private readonly store: ObjectStore,
    private readonly target: ObjectStore,
  ) {}

  async *copyAll({ complete, cutOff }: EarlierCopies): AsyncGenerator<Copied> {
    const lists = { complete: new InOrder(complete), cutOff: cutOff.map((list) => new InOrder(list)) };
    yield* pMapIterable(this.listed(lists), (listed) => this.take(listed), { concurrency: AT_ONCE });
    for (const list of [lists.complete, ...lists.cutOff]) await list.close();
  }

  private async *listed(lists: { complete: InOrder; cutOff: readonly InOrder[] }): AsyncGenerator<Listed> {
    for (const prefix of ORDER) {
      for await (const object of everyObject(this.store, prefix)) {
        if (!isOwnKey(object.key)) continue;
        const cutOff = await Promise.all(lists.cutOff.map((list) => list.find(object)));
        yield {
          object,
          inBackup: await lists.complete.find(object),
          cutOff: cutOff.find((copy) => copy !== undefined),
        };
      }
    }
  }

  private async take({ object, inBackup, cutOff }: Listed): Promise<Copied | typeof pMapSkip> {
    const known = inBackup ?? cutOff;
    if (known !== undefined && (await this.target.head(known.copy))?.size === known.size) {
      this.counts.kept += 1;
      this.counts.bytes += known.size;
      return { object: known, isInBackup: inBackup !== undefined };
    }
    const copied = await this.copy(object);
    return copied === undefined ? pMapSkip : { object: copied, isInBackup: false };
  }

  /** Undefined if the object was deleted after it was listed. */
  private async copy({ key, etag, size: listedSize }: StoredObject): Promise<CopiedObject | undefined> {
    const copy = copyKey(key, listedSize, etag);
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

/** Looks up keys in ascending order, with one object in memory. */
class InOrder {
  private readonly objects: AsyncIterator<CopiedObject>;
  private current: CopiedObject | undefined;
  private isDone = false;

  constructor(objects: AsyncIterable<CopiedObject>) {
    this.objects = objects[Symbol.asyncIterator]();
  }

  /** Undefined if the list does not contain this key with the same contents. */
  async find({ key, etag, size }: StoredObject): Promise<CopiedObject | undefined> {
    while (!this.isDone && (this.current === undefined || compare(this.current.key, key) < 0)) {
      const next = await this.objects.next();
      this.isDone = next.done === true;
      this.current = next.done === true ? undefined : next.value;
    }
    const { current } = this;
    return current?.key === key && current.etag === etag && current.size === size ? current : undefined;
  }

  async close(): Promise<void> {
    await this.objects.return?.();
  }
}
