import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MediaTableStore } from '../../src/common/engine/media-table/media-table-store';
import { Client } from 'pg';
import { writePicture } from '../support/pictures';

/** A dataset that the service has acknowledged, and must therefore contain afterwards. */
export interface AcknowledgedDataset {
  readonly id: string;
  readonly paths: readonly string[];
  readonly broken: readonly string[];
  /** The default is READY. */
  readonly status?: 'READY' | 'PARTIAL INDEX';
}

export async function writeMedia(
  folder: string,
  count: number,
  firstSeed: number,
): Promise<{ paths: string[]; broken: string[] }> {
  const paths = Array.from({ length: count }, (_, at) => `sub-${at % 3}/${firstSeed + at}.jpg`);
  await Promise.all(paths.map((path, at) => writePicture(join(folder, path), firstSeed + at)));
  const broken = ['broken.jpg', 'sub-1/empty.png'];
  await mkdir(join(folder, 'sub-1'), { recursive: true });
  for (const path of broken) await writeFile(join(folder, path), path === 'broken.jpg' ? 'no picture' : '');
  return { paths, broken };
}

/** Reads a dataset directly from its database and store, and checks that each file is present once and undamaged and that the counts are right. */
export async function assertWhole(
  dataset: AcknowledgedDataset,
  databaseUrl: string,
  tablesFolder: string,
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{
      generation_id: string;
      table_version: number;
      n_images: number;
      status_new: string;
    }>('SELECT generation_id, table_version, n_images, status_new FROM dataset WHERE id = $1', [dataset.id]);
    const row = rows[0]!;
    expect(row).toMatchObject({ status_new: dataset.status ?? 'READY', n_images: dataset.paths.length });
    const table = await new MediaTableStore({ uri: tablesFolder, storageOptions: {} }).open({
      generation: row.generation_id,
      version: row.table_version,
    });
    const seen: string[] = [];
    for await (const batch of table.readRows(['path', 'clusters', 'embedding', 'thumbnailKey'])) {
      for (const media of batch) {
        seen.push(media.path);
        expect(media.clusters.every((cluster) => cluster >= 0)).toBe(true);
        expect(media.embedding).not.toBeNull();
        expect(media.thumbnailKey).not.toBeNull();
      }
    }
    expect(seen.sort()).toEqual([...dataset.paths].sort());
    const quarantined = await client.query<{ path: string }>(
      'SELECT path FROM quarantined_file WHERE dataset_id = $1 ORDER BY path',
      [dataset.id],
    );
    expect(quarantined.rows.map(({ path }) => path)).toEqual([...dataset.broken].sort());
  } finally {
    await client.end();
  }
}
