import { hash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { filesForm, formOf } from '../support/api-client';
import { tarOf, zipOf } from '../support/archive-bytes';
import { pictureBytes } from '../support/pictures';

export const BATCH_KINDS = ['folder', 'manifest', 'files', 'zip', 'tar'] as const;
export type BatchKind = (typeof BATCH_KINDS)[number];

/** Media that may be added repeatedly. Their paths occur in no other batch and no source. */
export interface Batch {
  readonly kind: BatchKind;
  readonly place: string;
  /** Digests by path. */
  readonly files: ReadonlyMap<string, string>;
}

/** A folder from which datasets are created and synchronised. */
export interface SourceFolder {
  readonly place: string;
  readonly files: Map<string, string>;
  /** Datasets that may be reading the folder. */
  readonly readers: Set<string>;
}

const BATCH_FILES = 3;
const SOURCE_FILES = 4;

/** Creates pictures that differ from those of all other calls. */
export class HistoryMaterial {
  private pictures = 0;
  private places = 0;

  constructor(private readonly folder: string) {}

  async batch(kind: BatchKind): Promise<Batch> {
    this.places += 1;
    const place = join(this.folder, `batch-${this.places}`);
    const names = Array.from({ length: BATCH_FILES }, (_, at) => `b${this.places}/${at}.jpg`);
    const files = await this.write(place, names);
    if (kind === 'manifest') await writeFile(join(place, 'list.txt'), `${names.join('\n')}\n`);
    return { kind, place, files };
  }

  async source(): Promise<SourceFolder> {
    this.places += 1;
    const place = join(this.folder, `source-${this.places}`);
    const names = Array.from({ length: SOURCE_FILES }, (_, at) => `s${this.places}/${at}.jpg`);
    return { place, files: await this.write(place, names), readers: new Set() };
  }

  /** Adds a file, changes one, and removes one if any are left. */
  async change({ place, files }: SourceFolder): Promise<void> {
    const paths = [...files.keys()];
    this.places += 1;
    const written = await this.write(place, [paths[0]!, `${dirname(paths[0]!)}/new-${this.places}.jpg`]);
    for (const [path, sha256] of written) files.set(path, sha256);
    if (paths.length < SOURCE_FILES) return;
    await rm(join(place, paths[1]!));
    files.delete(paths[1]!);
  }

  private async write(place: string, names: readonly string[]): Promise<Map<string, string>> {
    const files = new Map<string, string>();
    for (const name of names) {
      this.pictures += 1;
      const bytes = await pictureBytes(this.pictures);
      await mkdir(dirname(join(place, name)), { recursive: true });
      await writeFile(join(place, name), bytes);
      files.set(name, hash('sha256', bytes));
    }
    return files;
  }
}

/** The form of the add_media request for a batch. */
export async function formOfBatch({ kind, place, files }: Batch): Promise<FormData> {
  if (kind === 'folder') return formOf({ s3_uri: place });
  if (kind === 'manifest') return formOf({ s3_uri: join(place, 'list.txt') });
  const read = await Promise.all(
    [...files.keys()].map(async (name) => ({ name, bytes: await readFile(join(place, name)) })),
  );
  if (kind === 'files') return filesForm(read);
  const archive =
    kind === 'zip' ? { name: 'batch.zip', bytes: zipOf(read) } : { name: 'batch.tgz', bytes: gzipSync(tarOf(read)) };
  return filesForm([archive], 'archive');
}
