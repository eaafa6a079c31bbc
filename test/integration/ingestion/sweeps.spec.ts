import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Logger } from '@nestjs/common';
import { MediaTableStore } from '../../../src/common/engine/media-table/media-table-store';
import type { ObjectStore } from '../../../src/common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../src/common/platform/storage/storage.module';
import { TagFileSweep } from '../../../src/modules/versions/tags/tag-files';
import { DraftSweep } from '../../../src/modules/ingestion/sweeps/draft.sweep';
import { GenerationSweep, UnknownTableSweep } from '../../../src/modules/ingestion/sweeps/table.sweeps';
import { MediaSweep } from '../../../src/modules/ingestion/sweeps/media.sweep';
import { ExportSweep } from '../../../src/modules/export/export.sweep';
import { WorkSweep } from '../../../src/modules/ingestion/sweeps/work.sweep';
import { ExportClient } from '../../support/export-client';
import { ApiClient, filesForm } from '../../support/api-client';
import { pictureBytes, writePicture } from '../../support/pictures';
import { runningApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const DAY_MS = 24 * 60 * 60 * 1000;
const HASH = '0'.repeat(64);
const MEDIA_PREFIXES = ['blobs', 'thumbs', 'frames'];

describe('sweeps', () => {
  const running = runningApp();
  let api: ApiClient;
  let store: string;
  let media: MediaSweep;

  beforeAll(() => {
    api = new ApiClient(running.url);
    store = join(running.folder, 'data', 'store');
    media = running.app.get(MediaSweep);
  });

  const keys = async (...prefixes: string[]): Promise<string[]> => {
    const found: string[] = [];
    for (const prefix of prefixes) {
      const entries = await readdir(join(store, prefix), { recursive: true, withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        if (entry.isFile()) found.push(relative(store, join(entry.parentPath, entry.name)));
      }
    }
    return found.sort();
  };
  const put = async (key: string): Promise<string> => {
    await mkdir(dirname(join(store, key)), { recursive: true });
    await writeFile(join(store, key), 'bytes');
    return key;
  };
  const age = async (...prefixes: string[]): Promise<void> => {
    const then = new Date(Date.now() - 3 * DAY_MS);
    for (const key of await keys(...prefixes)) await utimes(join(store, key), then, then);
  };
  const putOrphan = async (digit: string): Promise<string> => {
    const key = await put(`thumbs/${digit.repeat(2)}/${digit.repeat(64)}.webp`);
    await age(...MEDIA_PREFIXES);
    return key;
  };
  const sweepMedia = (): Promise<number> => media.sweep(new Date());
  const sql = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    running.database.dataSource.query<Row[]>(text, values);

  const folderOf = async (name: string, seeds: readonly number[]): Promise<string> => {
    for (const seed of seeds) await writePicture(join(running.folder, name, `${seed}.jpg`), seed);
    return join(running.folder, name);
  };
  const indexed = async (name: string, folder: string): Promise<string> => {
    return api.indexed(name, folder);
  };
  const draftWith = async (name: string, bytes: Uint8Array): Promise<string> => {
    const path = `/api/v1/ingestion/new_dataset?dataset_name=${name}`;
    const { dataset_id: id } = await api.must<{ dataset_id: string }>(200, 'GET', path);
    await api.upload(id, [{ name: `${name}.jpg`, bytes }]);
    return id;
  };
  const remove = (id: string): Promise<void> => api.must(204, 'DELETE', `/api/v1/dataset/${id}`);

  /** Blocks the deletion of a sweep, as an upload does, until `work` is done. */
  const whileLocked = async (work: () => Promise<void>): Promise<number> => {
    const runner = running.database.dataSource.createQueryRunner();
    await runner.connect();
    try {
      await runner.startTransaction();
      await runner.query("SELECT pg_advisory_xact_lock_shared(hashtextextended('blob-sweep', 2))");
      const sweeping = sweepMedia();
      sweeping.catch(() => undefined);
      await waitUntil(async () => (await waitingForLock()).length > 0);
      await work();
      await runner.commitTransaction();
      return await sweeping;
    } finally {
      if (runner.isTransactionActive) await runner.rollbackTransaction();
      await runner.release();
    }
  };
  const waitingForLock = (): Promise<{ pid: number }[]> =>
    sql(`SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
         WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted`);

  it('keep objects shared by two datasets until both are deleted', async () => {
    const shared = [1, 2, 3];
    const first = await folderOf('first', [...shared, 4]);
    await writeFile(
      join(first, 'object_annotations.csv'),
      'filename,col_x,row_y,width,height,label\n4.jpg,20,10,60,50,disc\n',
    );
    const one = await indexed('One', first);
    const ofOne = await keys('thumbs');
    expect(ofOne).toHaveLength(5);
    const two = await indexed('Two', await folderOf('second', [...shared, 5]));
    const ofBoth = await keys('thumbs');
    expect(ofBoth).toHaveLength(6);
    await age('thumbs');
    expect(await sweepMedia()).toBe(0);
    expect(await keys('thumbs')).toEqual(ofBoth);

    await remove(one);
    expect(await sweepMedia()).toBe(2);
    const ofTwo = await keys('thumbs');
    expect(ofTwo).toHaveLength(4);
    expect(ofTwo.filter((key) => ofOne.includes(key))).toHaveLength(3);
    expect(await sweepMedia()).toBe(0);

    await remove(two);
    expect(await sweepMedia()).toBe(4);
    expect(await keys('thumbs')).toEqual([]);
  });

  it('keep uploads referenced by a draft, and young files', async () => {
    const bytes = await pictureBytes(20);
    const [one, two] = [await draftWith('one', bytes), await draftWith('two', bytes)];
    expect(await keys('blobs')).toHaveLength(1);
    await age('blobs');
    await remove(one);
    expect(await sweepMedia()).toBe(0);
    await remove(two);
    const young = await put(`blobs/11/${'1'.repeat(64)}.jpg`);
    expect(await sweepMedia()).toBe(1);
    expect(await keys('blobs')).toEqual([young]);
  });

  it('keep uploads and frames referenced only by a published table', async () => {
    const id = await draftWith('published', await pictureBytes(30));
    const [row] = await sql<{ id: number }>('SELECT id FROM upload_transaction WHERE dataset_id = $1', [id]);
    await api.must(202, 'POST', `/api/v1/ingestion/${id}/process_files/${row!.id}`);
    await api.untilStatus(id, ['READY']);
    await sql('DELETE FROM upload_file WHERE dataset_id = $1', [id]);
    const alive = await keys(...MEDIA_PREFIXES);
    await age(...MEDIA_PREFIXES);
    const dead = await put(`frames/${HASH}/output_000001.jpg`);
    await age('frames');
    await sweepMedia();
    expect(await keys(...MEDIA_PREFIXES)).toEqual(alive.filter((key) => key !== dead && !key.includes('1'.repeat(64))));
    await remove(id);
  });

  it('ignore foreign files in the same store', async () => {
    const foreign = [
      'blobs/holiday.jpg',
      'frames/camera-1/0001.jpg',
      'thumbs/a.webp',
      'staging/a.jpg',
      'work/old/a.jpg',
    ];
    for (const key of foreign) await put(key);
    const leftovers = [`staging/${randomUUID()}`, `work/${randomUUID()}/1-0.arrow`];
    for (const key of leftovers) await put(key);
    await age('blobs', 'frames', 'thumbs', 'staging', 'work');
    await sweepMedia();
    expect(await running.app.get(WorkSweep).sweep(new Date())).toBe(2);
    expect(await keys('blobs', 'frames', 'thumbs', 'staging', 'work')).toEqual([...foreign].sort());
  });

  it('keep unknown files, work and tables for a day', async () => {
    const unknown = [
      `work/${randomUUID()}/1-0.arrow`,
      `exports/${randomUUID()}/1.zip`,
      `tables/${randomUUID()}.lance/data/a.lance`,
      `edges/${randomUUID()}/1.arrow`,
      `quantised/${randomUUID()}/embedding/65536/0-1.65535.q16`,
      `tags/${randomUUID()}.arrow`,
    ];
    for (const key of unknown) await put(key);
    const prefixes = ['work', 'exports', 'tables', 'edges', 'quantised', 'tags'];
    const left = async (): Promise<string[]> => (await keys(...prefixes)).filter((key) => unknown.includes(key));
    const sweep = async (): Promise<void> => {
      for (const kind of [WorkSweep, ExportSweep, UnknownTableSweep, TagFileSweep])
        await running.app.get(kind).sweep(new Date());
    };
    await sweep();
    expect(await left()).toEqual([...unknown].sort());
    await age(...prefixes);
    await sweep();
    expect(await left()).toEqual([]);
  });

  it('remove nothing from a store with a different mark', async () => {
    const orphan = await putOrphan('c');
    const markPath = join(store, '.installation.json');
    const mark = await readFile(markPath);
    await writeFile(markPath, JSON.stringify({ installation: randomUUID() }));
    for (const kind of [MediaSweep, WorkSweep, ExportSweep, UnknownTableSweep, TagFileSweep])
      await expect(running.app.get(kind).sweep(new Date())).rejects.toThrow(/belongs to another installation/);
    const ready = await fetch(`${running.url}/health/ready`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('another installation')]);
    await writeFile(markPath, mark);
    expect(await keys('thumbs')).toContain(orphan);
    await sweepMedia();
  });

  it('keep the work of a task that can be retried', async () => {
    const folder = join(running.folder, 'unreadable');
    await mkdir(folder);
    await writeFile(join(folder, 'a.jpg'), 'no picture');
    const id = await api.createFromFolder('Unreadable', folder);
    await expect(api.untilStatus(id, ['READY'])).rejects.toThrow('None of the 1 files could be read');
    const before = await keys('work');
    await age('work');
    const work = running.app.get(WorkSweep);
    expect(await work.sweep(new Date())).toBe(0);
    expect(await keys('work')).toEqual(before);
    await remove(id);
    expect(await work.sweep(new Date())).toBeGreaterThan(0);
    expect(await keys('work')).toEqual(['work/old/a.jpg']);
  });

  it('keep the references of an unreadable table, and sweep the others', async () => {
    const id = await indexed('Damaged', await folderOf('damaged', [90, 91]));
    const [{ generation_id: generation }] = (await sql<{ generation_id: string }>(
      'SELECT generation_id FROM dataset WHERE id = $1',
      [id],
    )) as [{ generation_id: string }];
    await age(...MEDIA_PREFIXES);
    await sweepMedia();
    const named = await keys('thumbs');
    const table = join(store, 'tables', `${generation}.lance`);
    await rename(table, `${table}.away`);
    try {
      const known = await putOrphan('d');
      expect(await sweepMedia()).toBe(1);
      expect(await keys('thumbs')).toEqual(named.filter((key) => key !== known));

      const missing =
        /^The (table|file) tables\/.* is missing or damaged in the store\. Restore it from a backup, or delete/;
      const explored = await api.ask('GET', `/api/v1/explore/${id}?threshold=0`);
      expect(explored).toEqual(
        expect.objectContaining({ status: 500, body: { detail: expect.stringMatching(missing) as string } }),
      );
      const exports = new ExportClient(api);
      const failed = await exports.untilOver(id, await exports.start(id, 'export_format=json'));
      expect(failed).toMatchObject({ status: 'FAILED', result_message: expect.stringMatching(missing) as string });

      // No sweep has read it yet, so it may refer to any file.
      await rm(join(store, 'keys', generation), { recursive: true });
      // An open handle could still read deleted files.
      const unopened = new MediaTableStore(running.app.get<ObjectStore>(OBJECT_STORE).lanceLocation('tables/'));
      const blind = Object.create(media, { tables: { value: unopened } }) as MediaSweep;
      const kept = await putOrphan('e');
      const lines: string[] = [];
      const told = jest.spyOn(Logger.prototype, 'error').mockImplementation((line: string) => void lines.push(line));
      expect(await blind.sweep(new Date())).toBe(0);
      told.mockRestore();
      expect(await keys('thumbs')).toContain(kept);
      expect(lines).toEqual([
        expect.stringMatching(
          new RegExp(
            `^Unused media are not deleted, because the table tables/${generation}.lance of "Damaged" \\(${id}\\) cannot be read at version \\d+: .+ Restore it`,
          ),
        ),
      ]);
    } finally {
      await rename(`${table}.away`, table);
    }
    await sweepMedia();
    expect(await keys('thumbs')).toEqual(named);
    await remove(id);
    await sweepMedia();
  });

  it('respect a table that is published between mark and sweep', async () => {
    const id = await indexed('Flipped', await folderOf('flipped', [40, 41]));
    const orphan = await putOrphan('a');
    const alive = (await keys('thumbs')).filter((key) => key !== orphan);
    const [pointer] = await sql<{ generation_id: string; table_version: number }>(
      'SELECT generation_id, table_version FROM dataset WHERE id = $1',
      [id],
    );
    await sql('UPDATE dataset SET generation_id = NULL, table_version = NULL WHERE id = $1', [id]);
    const removed = await whileLocked(async () => {
      const { generation_id: generation, table_version: version } = pointer!;
      await sql('UPDATE dataset SET generation_id = $2, table_version = $3 WHERE id = $1', [id, generation, version]);
    });
    expect(removed).toBe(1);
    expect(await keys('thumbs')).toEqual(alive);
    await remove(id);
  });

  it('stop before a task that reuses thumbnails in the store', async () => {
    const folder = await folderOf('again', [50, 51]);
    await remove(await indexed('Before', folder));
    await age('thumbs');
    const orphans = await keys('thumbs');
    let id = '';
    const removed = await whileLocked(async () => {
      id = await api.createFromFolder('Again', folder);
    });
    expect(removed).toBe(0);
    await api.untilStatus(id, ['READY']);
    expect(await keys('thumbs')).toEqual(orphans);
    await sweepMedia();
    expect((await keys('thumbs')).filter((key) => key !== 'thumbs/a.webp').length).toBeGreaterThanOrEqual(2);
    await remove(id);
  });

  it('remove nothing if interrupted between mark and sweep, and everything the next time', async () => {
    const orphan = await putOrphan('b');
    const before = await keys(...MEDIA_PREFIXES);
    const cutOff = whileLocked(async () => {
      for (const { pid } of await waitingForLock()) await sql('SELECT pg_terminate_backend($1)', [pid]);
    });
    await expect(cutOff).rejects.toThrow();
    expect(await keys(...MEDIA_PREFIXES)).toEqual(before);
    expect(await sweepMedia()).toBeGreaterThanOrEqual(1);
    expect(await keys('thumbs')).not.toContain(orphan);
    expect(await sweepMedia()).toBe(0);
  });

  it('keep a file that is uploaded again during a sweep', async () => {
    const bytes = await pictureBytes(60);
    await remove(await draftWith('gone', bytes));
    for (let round = 0; round < 10; round += 1) {
      await age('blobs');
      const [id] = await Promise.all([draftWith(`round${round}`, bytes), sweepMedia()]);
      await age('blobs');
      await sweepMedia();
      const [file] = await sql<{ store_key: string }>('SELECT store_key FROM upload_file WHERE dataset_id = $1', [id]);
      expect(await keys('blobs')).toContain(file!.store_key);
      await remove(id);
    }
  });

  it('delete only drafts unchanged for a month', async () => {
    const [old, young] = [
      await draftWith('old', await pictureBytes(70)),
      await draftWith('young', await pictureBytes(71)),
    ];
    await sql("UPDATE dataset SET touched_at = now() - interval '31 days' WHERE id = $1", [old]);
    expect(await running.app.get(DraftSweep).sweep(new Date())).toBe(1);
    await api.must(404, 'GET', `/api/v1/dataset/${old}`);
    const { trans_id: transaction } = await api.must<{ trans_id: number }>(
      200,
      'GET',
      `/api/v1/ingestion/${young}/data_files`,
    );
    const form = filesForm([{ name: 'more.jpg', bytes: await pictureBytes(72) }]);
    await api.must(202, 'POST', `/api/v1/ingestion/${young}/data_files/${transaction}`, form);
  });

  it('delete only the table of a deleted dataset, after a delay', async () => {
    const [one, two] = [
      await indexed('Dropped', await folderOf('dropped', [80])),
      await indexed('Kept', await folderOf('kept', [81])),
    ];
    const generations = running.app.get(GenerationSweep);
    const tables = async (): Promise<string[]> => (await readdir(join(store, 'tables'))).sort();
    await remove(one);
    const before = await tables();
    const quantised = await Promise.all(before.map((name) => put(`quantised/${name.slice(0, 36)}/9/0-0.8.q16`)));
    await generations.sweep(new Date());
    expect(await tables()).toEqual(before);
    expect(await generations.sweep(new Date(Date.now() + DAY_MS))).toBeGreaterThanOrEqual(1);
    const [kept] = await sql<{ generation_id: string; table_version: string }>(
      'SELECT generation_id, table_version FROM dataset WHERE id = $1',
      [two],
    );
    expect(await tables()).toEqual([`${kept!.generation_id}.lance`]);
    expect(await keys('edges')).toEqual([`edges/${kept!.generation_id}/${kept!.table_version}.arrow`]);
    expect(await keys('quantised')).toEqual(quantised.filter((key) => key.includes(kept!.generation_id)));
    expect((await api.must<{ clusters: object[] }>(200, 'GET', `/api/v1/explore/${two}`)).clusters).toHaveLength(1);
  });
});
