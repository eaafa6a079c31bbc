import { pMapIterable, pMapSkip } from 'p-map';
import { readEdges } from '../../common/engine/media-table/edges-file';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import { decodeChunk } from '../../common/engine/media-table/row-batch';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import { errorMessage } from '../../common/platform/errors/error-code';
import { outageOf } from '../../common/platform/outage/outage';
import { everyObject, type ObjectStore, type StoredObject } from '../../common/platform/storage/object-store';
import { KeyHashSet } from '../../common/platform/text/key-hash-set';
import { generationOfKey, isOwnKey, mediaKeysOf, OWN_PREFIXES, taskOfWork } from '../../modules/ingestion';
import type { PublishedVersion, References, Unfinished } from '../persistence/references';
import { checkOf, type Finding } from './contents';

const READ_LIMIT_MS = 300_000;
const BATCH_ROWS = 1024;
/** Sweeps only delete unreferenced objects that are older. */
const DAY_MS = 24 * 60 * 60 * 1000;
const AT_ONCE = 8;

export interface KnownObjects extends Omit<Unfinished, 'installation'> {
  readonly references: References;
}

export interface Counts {
  objects: number;
  bytes: number;
  tables: number;
  missing: number;
  damaged: number;
  unreferenced: number;
}

/** One pass over the tables and the store. Uploads must be added with `expect` before. */
export class Verification {
  private readonly counts: Counts = { objects: 0, bytes: 0, tables: 0, missing: 0, damaged: 0, unreferenced: 0 };
  /** The objects that rows refer to. */
  private readonly live = new KeyHashSet();
  private readonly tables: MediaTableStore;
  /** False if a table cannot be read, because it may refer to any object. */
  private areReferencesComplete = true;

  constructor(
    private readonly store: ObjectStore,
    private readonly found: (finding: Finding) => void,
  ) {
    this.tables = new MediaTableStore(store.lanceLocation('tables/'), { readLimitMs: READ_LIMIT_MS, openTables: 1 });
  }

  report(kind: Finding['kind'], object: string, reason: string): void {
    this.counts[kind] += 1;
    this.found({ kind, object, reason });
  }

  /** Reports the object if the store lacks it. */
  async expect(key: string, by = 'an upload'): Promise<void> {
    if (this.live.has(key)) return;
    this.live.add(key);
    if ((await this.store.head(key)) === undefined) this.report('missing', key, `The database refers to it by ${by}`);
  }

  async run(known: KnownObjects, isQuick: boolean): Promise<Counts> {
    for (const version of known.references.versions) await this.readVersion(version);
    for (const chunk of known.chunks) await this.readOrReport(chunk, () => this.readChunk(chunk));
    for (const key of known.references.tagFiles) await this.expect(key, 'the tags of a dataset');
    for (const key of known.references.annotationFiles) await this.expect(key, 'the annotations of a dataset');
    for (const key of known.references.evaluationFiles) await this.expect(key, 'the outcomes of an evaluation');
    for (const key of known.references.archives) await this.expect(key, 'an export');
    for (const prefix of OWN_PREFIXES) {
      const objects = everyObject(this.store, prefix);
      const check = (object: StoredObject) => this.check(object, known, isQuick);
      for await (const { kind, object, reason } of pMapIterable(objects, check, { concurrency: AT_ONCE }))
        this.report(kind, object, reason);
    }
    return this.counts;
  }

  /** Reads every column of every row, the indexes, and the similarities. */
  private async readVersion(version: PublishedVersion): Promise<void> {
    const name = `tables/${version.generation}.lance at version ${version.version}, of ${version.dataset}`;
    this.counts.tables += 1;
    const table = await this.readOrReport(name, () => this.tables.open(version));
    const hasAllRows = table !== undefined && (await this.readOrReport(name, () => this.readRows(table, name)));
    if (hasAllRows !== true) this.areReferencesComplete = false;
    if (table !== undefined) await this.readOrReport(name, () => this.readIndexes(table, name));
    await this.readOrReport(`edges/${version.generation}/${version.version}.arrow`, () =>
      readEdges(this.store, version),
    );
  }

  /** Undefined if the table cannot be read. */
  private async readOrReport<T>(object: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (outageOf(error) !== undefined) throw error;
      this.report('damaged', object, reasonOf(error));
      return undefined;
    }
  }

  private async readRows(table: MediaTable, name: string): Promise<true> {
    for await (const rows of table.readRows(undefined, { batchRows: BATCH_ROWS })) {
      for (const row of rows) for (const key of mediaKeysOf(row)) await this.expect(key, name);
    }
    return true;
  }

  /** Media of unfinished tasks may be missing: whether they are needed is only known when the task resumes. */
  private async readChunk(key: string): Promise<void> {
    for (const row of decodeChunk(await this.store.read(key)))
      for (const media of mediaKeysOf(row)) this.live.add(media);
  }

  private async readIndexes(table: MediaTable, name: string): Promise<void> {
    for await (const { columns, error } of table.unreadableIndexes()) {
      if (outageOf(error) !== undefined) throw error;
      this.report('damaged', name, `Its index of ${columns.join(', ')} cannot be read: ${reasonOf(error)}`);
    }
  }

  private async check(
    { key, size, lastModified }: StoredObject,
    known: KnownObjects,
    isQuick: boolean,
  ): Promise<Finding | typeof pMapSkip> {
    if (!isOwnKey(key)) return pMapSkip;
    this.counts.objects += 1;
    this.counts.bytes += size;
    if (!this.isReferenced(key, known)) {
      const age = Date.now() - lastModified.getTime();
      const fate = age < DAY_MS ? 'it is younger than a day' : 'a sweep removes it';
      return { kind: 'unreferenced', object: key, reason: `Nothing refers to it; ${fate}` };
    }
    const problem = isQuick ? undefined : await this.problemOf(key);
    return problem === undefined ? pMapSkip : { kind: 'damaged', object: key, reason: problem };
  }

  private async problemOf(key: string): Promise<string | undefined> {
    try {
      return await checkOf(key)?.(await this.store.get(key), key);
    } catch (error) {
      if (outageOf(error) !== undefined) throw error;
      return reasonOf(error);
    }
  }

  private isReferenced(key: string, { generations, tasks }: KnownObjects): boolean {
    const generation = generationOfKey(key);
    if (generation !== undefined) return generations.has(generation);
    const task = taskOfWork(key);
    if (task !== undefined) return tasks.has(task);
    const isOfRows = /^(?:blobs|thumbs|frames)\//.test(key);
    return this.live.has(key) || (isOfRows && !this.areReferencesComplete);
  }
}

/** The messages of an error and its causes. */
function reasonOf(error: unknown): string {
  const messages: string[] = [];
  for (let at = error; at instanceof Error && messages.length < 3; at = at.cause) messages.push(errorMessage(at));
  return messages.join(': ');
}
