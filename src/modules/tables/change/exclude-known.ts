import { hash } from 'node:crypto';
import { inList } from '../../../common/engine/media-table/literal';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { kindCode } from '../../../common/engine/media-table/media-schema';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { isFile, type ChunkRows } from '../rows/chunk-rows';
import { withoutRole } from '../../../common/platform/storage/sources/source-location';

/**
 * Equal for the same content at the same location, regardless of the role that reads it. Uploads are stored by content, so their location is the path
 * given by the client.
 */
export const fileIdentity = ({ source, path, sha256 }: Pick<MediaRow, 'source' | 'path' | 'sha256'>): string =>
  `${sha256}\n${withoutRole(source)}${source.startsWith('store:') ? `\n${path}` : ''}`;

/** Files looked up in one pass over the table's hashes. */
const FILES_AT_ONCE = 4_000;
const FILE_KINDS = inList([kindCode('IMAGE'), kindCode('VIDEO')]);

export interface NewFiles {
  readonly rows: ChunkRows;
  /** Files that are already in the table, or earlier in the batch. */
  readonly skipped: number;
}

interface AskedFile {
  readonly place: number;
  readonly identity: string;
  readonly sha256: string;
}

/** A digest, so that a set of them takes less memory than full locations. */
const shortened = (identity: string): string => hash('sha256', identity, 'base64').slice(0, 24);

/** Excludes the files of a batch that a table already has. */
export async function excludeKnown(analyzed: ChunkRows, table: MediaTable): Promise<NewFiles> {
  const batch = new BatchFiles(analyzed.files);
  let asked: AskedFile[] = [];
  for await (const row of analyzed.rows()) {
    const file = batch.count(row);
    if (file === undefined) continue;
    asked.push(file);
    if (asked.length < FILES_AT_ONCE) continue;
    batch.excludeKnown(asked, await knownAmong(asked, table));
    asked = [];
  }
  if (asked.length > 0) batch.excludeKnown(asked, await knownAmong(asked, table));
  return { rows: analyzed.without(batch.excluded()), skipped: batch.known.size };
}

/** Collects the known files of a batch while its rows pass. */
class BatchFiles {
  readonly known: OrdinalSet;
  private readonly isVideo: OrdinalSet;
  private readonly objects: Int32Array;
  private readonly frames: Int32Array;
  private readonly seen = new Set<string>();
  private file = -1;

  constructor(private readonly files: number) {
    this.known = OrdinalSet.none(files);
    this.isVideo = OrdinalSet.none(files);
    this.objects = new Int32Array(files);
    this.frames = new Int32Array(files);
  }

  /** The file that starts with this row; undefined for objects, frames and known files. */
  count(row: MediaRow): AskedFile | undefined {
    if (!isFile(row)) {
      if (row.kind === 'OBJECT') this.objects[this.file]! += 1;
      else this.frames[this.file]! += 1;
      return undefined;
    }
    this.file += 1;
    if (row.kind === 'VIDEO') this.isVideo.add(this.file);
    const identity = shortened(fileIdentity(row));
    if (this.seen.has(identity)) {
      this.known.add(this.file);
      return undefined;
    }
    this.seen.add(identity);
    return { place: this.file, identity, sha256: row.sha256 };
  }

  excludeKnown(asked: readonly AskedFile[], known: ReadonlySet<string>): void {
    for (const { place, identity } of asked) if (known.has(identity)) this.known.add(place);
  }

  excluded() {
    const counts = { images: 0, videos: 0, objects: 0, frames: 0 };
    for (let file = 0; file < this.files; file += 1) {
      if (this.known.has(file)) continue;
      if (this.isVideo.has(file)) counts.videos += 1;
      else counts.images += 1;
      counts.objects += this.objects[file]!;
      counts.frames += this.frames[file]!;
    }
    return { files: this.known, counts };
  }
}

/** Returns the identities that are in the table. */
async function knownAmong(asked: readonly AskedFile[], table: MediaTable): Promise<Set<string>> {
  const identities = new Set(asked.map(({ identity }) => identity));
  const hashes = [...new Set(asked.map(({ sha256 }) => sha256))];
  const filter = `kind IN ${FILE_KINDS} AND sha256 IN ${inList(hashes)}`;
  const known = new Set<string>();
  for await (const rows of table.readRows(['sha256', 'source', 'path'], { filter })) {
    for (const row of rows) {
      const identity = shortened(fileIdentity(row));
      if (identities.has(identity)) known.add(identity);
    }
  }
  return known;
}
