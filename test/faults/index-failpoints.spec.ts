import { connect } from '@lancedb/lancedb';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { MediaTableStore } from '../../src/common/engine/media-table/media-table-store';
import type { TableVersion } from '../../src/common/engine/media-table/table-version';
import type { Failpoint } from '../../src/common/platform/config/failpoint';
import type { ApiClient } from '../support/api-client';
import { formOf } from '../support/api-client';
import { writePicture } from '../support/pictures';
import type { ProgramHome } from '../support/program-home';
import { runningHome } from '../support/running-home';
import { ADDITION_FAILPOINTS, allOr } from './failpoints';

const PER_KILL_MS = 30_000;
const FIRST_FILES = 3;
/** Large enough that each batch causes the index of captions to be rebuilt. */
const BATCH_FILES = 160;

/** A dataset whose caption index is rebuilt after each batch. */
class CaptionedDataset {
  private id = '';
  private files = 0;

  constructor(private readonly home: ProgramHome) {}

  async create(): Promise<void> {
    const { api } = this.home;
    this.id = await api.indexed('Captioned', await this.nextFolder(FIRST_FILES));
  }

  /** Adds a batch. The program may be killed before it responds. */
  async add(api: ApiClient): Promise<void> {
    const source = await this.nextFolder(BATCH_FILES);
    await api.must(202, 'POST', `/api/v1/dataset/${this.id}/add_media`, formOf({ s3_uri: source }));
  }

  async assertSearchable(): Promise<void> {
    await this.home.api.untilStatus(this.id, ['PARTIAL INDEX']);
    const at = await this.published();
    const uri = join(this.home.store, 'tables');
    const table = await new MediaTableStore({ uri, storageOptions: {} }).open(at);
    expect((await table.keywordHits({ kind: 'word', word: 'picture' })).rows.size).toBe(this.files);
    const last = await table.keywordHits({ kind: 'word', word: `number${this.files - 1}` });
    expect([...last.rows.toArray()]).toHaveLength(1);
    const stored = await (await connect(uri)).openTable(at.generation);
    await stored.checkout(at.version);
    expect(await stored.indexStats('caption_text_idx')).toMatchObject({
      numIndexedRows: this.files,
      numUnindexedRows: 0,
    });
  }

  private async published(): Promise<TableVersion> {
    const client = new Client({ connectionString: this.home.databaseUrl });
    await client.connect();
    const { rows } = await client.query<TableVersion>(
      'SELECT generation_id AS generation, table_version AS version FROM dataset WHERE id = $1',
      [this.id],
    );
    await client.end();
    return rows[0]!;
  }

  private async nextFolder(count: number): Promise<string> {
    const folder = join(this.home.folder, `source-${this.files}`);
    const lines: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const seed = this.files + at;
      await writePicture(join(folder, `${seed}.jpg`), seed);
      lines.push(`${seed}.jpg,ball,picture number${seed}\n`);
    }
    await writeFile(join(folder, 'image_annotations.csv'), `filename,label,caption\n${lines.join('')}`);
    this.files += count;
    return folder;
  }
}

describe('the program, killed while an index is rebuilt', () => {
  const running = runningHome();

  it(
    'builds it in the next attempt, and finds every caption',
    async () => {
      const home = running();
      const dataset = new CaptionedDataset(home);
      await dataset.create();
      for (const point of allOr<Failpoint>(['before-indexes'], ADDITION_FAILPOINTS)) {
        await home.dieAt(point, (api) => dataset.add(api));
        await dataset.assertSearchable();
      }
    },
    60_000 + ADDITION_FAILPOINTS.length * PER_KILL_MS,
  );
});
