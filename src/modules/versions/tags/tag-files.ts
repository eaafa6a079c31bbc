import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  Field,
  Int32,
  List,
  makeData,
  makeVector,
  Table,
  tableFromIPC,
  tableToIPC,
  vectorFromArray,
  Utf8,
} from 'apache-arrow';
import { Interval } from '@nestjs/schedule';
import { idInKey } from '../../../common/platform/storage/object-key';
import { deleteUnneeded, type ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { TagLists } from './domain/tag-lists';
import { TagFileRepository } from './persistence/tag-file.repository';
import { BoundedCache, type CacheUsage } from '../../../common/platform/cache/bounded-cache';
import type { DatasetPointer } from '../../datasets';
import { TagAssignments } from './domain/tag-assignments';
import { Sweeps, type Sweep } from '../../../common/platform/database/sweeps';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import { StoreIdentity } from '../../../common/platform/installation/store-identity';

const MINUTE_MS = 60 * 1000;
/** Grace period for readers that opened a file before it was orphaned. */
const GRACE_MS = 10 * MINUTE_MS;

/** Stores tag assignments, one immutable file for each version. */
@Injectable()
export class TagFiles {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly files: TagFileRepository,
  ) {}

  async write(lists: TagLists): Promise<string> {
    const id = randomUUID();
    await this.files.insert(id);
    await this.store.put(keyOf(id), encodeTags(lists));
    return id;
  }

  async read(id: string): Promise<TagLists> {
    return decodeTags(await this.store.read(keyOf(id)));
  }

  /** Deletes files written before this time that the database doesn't know. Returns how many. */
  removeUnknown(writtenBefore: Date): Promise<number> {
    return deleteUnneeded(this.store, PREFIX, async (objects) => {
      const old = objects.flatMap(({ key, lastModified }) => {
        const id = lastModified < writtenBefore ? idInKey(key, PREFIX, [ENDING]) : undefined;
        return id === undefined ? [] : [id];
      });
      const known = await this.files.knownAmong(old);
      return old.filter((id) => !known.has(id)).map(keyOf);
    });
  }

  async remove(id: string): Promise<void> {
    await this.store.delete([keyOf(id)]);
    await this.files.delete(id);
  }
}

/** Deletes tag files without references, and those that the database does not know. */
@Injectable()
export class TagFileSweep implements Sweep {
  constructor(
    private readonly sweeps: Sweeps,
    private readonly transactions: TransactionRunner,
    private readonly repository: TagFileRepository,
    private readonly files: TagFiles,
    private readonly identity: StoreIdentity,
  ) {}

  @Interval(5 * MINUTE_MS)
  frequent(): Promise<void> {
    return this.sweeps.run('tag-files', this);
  }

  async sweep(now: Date): Promise<number> {
    await this.repository.markOrphans(now);
    let removed = 0;
    for (const id of await this.repository.listOrphans(new Date(now.getTime() - GRACE_MS))) {
      if (await this.transactions.run(() => this.remove(id))) removed++;
    }
    return removed + (await this.files.removeUnknown(await this.identity.unknownSince(now)));
  }

  private async remove(id: string): Promise<boolean> {
    if (!(await this.repository.lockUnused(id))) return false;
    await this.files.remove(id);
    return true;
  }
}

/** LRU cache of tag assignments, within a budget of bytes that all datasets share. */
export class TagAssignmentsCache {
  private readonly versions: BoundedCache<TagAssignments>;

  constructor(
    private readonly files: Pick<TagFiles, 'read'>,
    budgetBytes: number,
  ) {
    this.versions = new BoundedCache(budgetBytes, (assignments) => assignments.bytes, { keepsLast: true });
  }

  get bytes(): number {
    return this.versions.weight;
  }

  get usage(): CacheUsage {
    return this.versions.usage;
  }

  open({ tagsFile }: Pick<DatasetPointer, 'tagsFile'>): Promise<TagAssignments> {
    if (tagsFile === null) return Promise.resolve(TagAssignments.none);
    return this.versions.getOrLoad(tagsFile, async () => TagAssignments.of(await this.files.read(tagsFile)));
  }
}

const TAG = 'tag';
const ORDINALS = 'ordinals';

const LIST = new List(new Field('item', new Int32(), false));

const PREFIX = 'tags/';
const ENDING = '.arrow';
const keyOf = (id: string): string => `${PREFIX}${id}${ENDING}`;

/** All tag assignments of a dataset at one version: an Arrow file with a row for each tag. */
export function encodeTags(lists: TagLists): Uint8Array {
  const valueOffsets = new Int32Array(lists.size + 1);
  [...lists.values()].forEach((list, tag) => (valueOffsets[tag + 1] = valueOffsets[tag]! + list.length));
  const data = new Int32Array(valueOffsets[lists.size]!);
  [...lists.values()].forEach((list, tag) => data.set(list, valueOffsets[tag]));
  const child = makeData({ type: new Int32(), length: data.length, nullCount: 0, data });
  const ordinals = makeVector(makeData({ type: LIST, length: lists.size, nullCount: 0, valueOffsets, child }));
  return tableToIPC(new Table({ [TAG]: vectorFromArray([...lists.keys()], new Utf8()), [ORDINALS]: ordinals }), 'file');
}

export function decodeTags(bytes: Uint8Array): TagLists {
  const table = tableFromIPC<{ [TAG]: Utf8; [ORDINALS]: List<Int32> }>(bytes);
  const tags = table.getChild(TAG);
  const ordinals = table.getChild(ORDINALS)?.data[0];
  if (tags === null || ordinals === undefined) throw new Error('Not a tag file');
  const values = ordinals.children[0]!.values as Int32Array;
  const offsets = ordinals.valueOffsets as Int32Array;
  return new Map(Array.from(tags, (id, tag) => [id!, values.subarray(offsets[tag], offsets[tag + 1])]));
}
