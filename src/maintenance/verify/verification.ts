import { readEdges } from '../../common/engine/media-table/edges-file';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import { errorMessage } from '../../common/platform/errors/error-code';
import { outageOf } from '../../common/platform/outage/outage';
import type { ObjectStore, StoredObject } from '../../common/platform/storage/object-store';
import { parseSource } from '../../common/platform/storage/source-location';
import { generationOfKey, isOwnKey, KeyHashSet, OWN_PREFIXES, taskOfWork } from '../../modules/ingestion';
import { digestOf } from '../backup/line-file';
import { everyObject } from '../backup/manifest';
import type { PublishedVersion, References } from '../persistence/references';
import type { Finding } from './finding';

const READ_LIMIT_MS = 300_000;
const BATCH_ROWS = 1024;
/** Sweeps delete what is unreferenced only when it is older. */
const DAY_MS = 24 * 60 * 60 * 1000;
const BLOB = /^blobs\/[0-9a-f]{2}\/([0-9a-f]{64})/;

export interface KnownObjects {
  readonly references: References;
  readonly generations: ReadonlySet<string>;
  readonly tasks: ReadonlySet<string>;
}

export interface Counts {
  objects: number;
  bytes: number;
  tables: number;
  missing: number;
  damaged: number;
  unreferenced: number;
}

/** One walk over the tables and the store. Uploads are named before it, by `expect`. */
export class Verification {
  private readonly counts: Counts = { objects: 0, bytes: 0, tables: 0, missing: 0, damaged: 0, unreferenced: 0 };
  /** What rows of tables refer to. */
  private readonly live = new KeyHashSet();
  private readonly tables: MediaTableStore;
  /** While a table can't be read, any object may be referenced by it. */
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
    for (const key of known.references.tagFiles) await this.expect(key, 'the tags of a dataset');
    for (const key of known.references.archives) await this.expect(key, 'an export');
    for (const prefix of OWN_PREFIXES) {
      for await (const object of everyObject(this.store, prefix)) {
        if (isOwnKey(object.key)) await this.check(object, known, isQuick);
      }
    }
    return this.counts;
  }

  /** Reads every column of every row, and the similarities; indexes are not read, for they are built from these. */
  private async readVersion(version: PublishedVersion): Promise<void> {
    const name = `tables/${version.generation}.lance at version ${version.version}, of ${version.dataset}`;
    this.counts.tables += 1;
    try {
      const table = await this.tables.open(version);
      for await (const rows of table.readRows(undefined, { batchRows: BATCH_ROWS })) {
        for (const { thumbnailKey, source } of rows) {
          if (thumbnailKey !== null) await this.expect(thumbnailKey, name);
          const location = source.startsWith('store:') ? parseSource(source) : undefined;
          if (location?.kind === 'store') await this.expect(location.key, name);
        }
      }
    } catch (error) {
      if (outageOf(error) !== undefined) throw error;
      this.areReferencesComplete = false;
      this.report('damaged', name, reasonOf(error));
    }
    await readEdges(this.store, version).catch((error: unknown) => {
      if (outageOf(error) !== undefined) throw error;
      this.report('damaged', `edges/${version.generation}/${version.version}.arrow`, reasonOf(error));
    });
  }

  private async check({ key, size, lastModified }: StoredObject, known: KnownObjects, isQuick: boolean): Promise<void> {
    this.counts.objects += 1;
    this.counts.bytes += size;
    if (!this.isReferenced(key, known)) {
      const age = Date.now() - lastModified.getTime();
      const fate = age < DAY_MS ? 'it is younger than a day' : 'a sweep removes it';
      this.report('unreferenced', key, `Nothing refers to it; ${fate}`);
      return;
    }
    const sha256 = BLOB.exec(key)?.[1];
    if (isQuick || sha256 === undefined) return;
    if ((await digestOf(await this.store.get(key))).sha256 !== sha256)
      this.report('damaged', key, 'Its content is not that of its name, which is its checksum');
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
