import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { AppModule } from '../../src/app.module';
import { readConfiguration } from '../../src/common/platform/config/configuration';
import { MediaTableStore } from '../../src/common/engine/media-table/media-table-store';
import { EvaluationSweep } from '../../src/modules/evaluation/evaluation.sweep';
import { GenerationSweep } from '../../src/modules/ingestion/sweeps/table.sweeps';
import { MediaSweep } from '../../src/modules/ingestion/sweeps/media.sweep';
import { WorkSweep } from '../../src/modules/ingestion/sweeps/work.sweep';
import { taskOfWork } from '../../src/modules/ingestion/storage-keys';
import { AnnotationSweep } from '../../src/modules/versions/annotations/annotation-files';
import { TagFileSweep } from '../../src/modules/versions/tags/tag-files';
import { TaskLedger } from '../../src/modules/tasks';
import { freePort } from '../support/program';
import { ageKeys, storedKeys } from '../support/stored-keys';

const DAY_MS = 24 * 60 * 60 * 1000;
const MEDIA = ['blobs', 'thumbs', 'frames'];
const PASSING = ['staging', 'work', '.unfinished'];

interface Kept {
  readonly tables: readonly string[];
  readonly edges: readonly string[];
  readonly tags: readonly string[];
  readonly annotations: readonly string[];
  readonly evaluations: readonly string[];
  readonly media: readonly string[];
  readonly passing: readonly string[];
  /** Rows that belong to finished work. */
  readonly rows: number;
}

export interface SweptStore {
  readonly needed: Kept;
  readonly found: Kept;
}

/** Runs the sweeps for the data folder of a stopped program with the clock set days ahead, and returns the rest. */
export async function sweepAll(dataDir: string, variables: Readonly<Record<string, string>> = {}): Promise<SweptStore> {
  const store = join(dataDir, 'store');
  const configuration = readConfiguration({
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    LOG_LEVEL: 'CRITICAL',
    ...variables,
  });
  const app = await Test.createTestingModule({ imports: [AppModule.with(configuration)] }).compile();
  await app.init();
  try {
    const now = Date.now();
    for (const at of [now, now + DAY_MS]) {
      await app.get(GenerationSweep).sweep(new Date(at));
      await app.get(TagFileSweep).sweep(new Date(at));
      await app.get(AnnotationSweep).sweep(new Date(at));
    }
    await ageKeys(store, ...MEDIA, 'evaluations', 'staging', 'work');
    await app.get(EvaluationSweep).sweep(new Date());
    await app.get(WorkSweep).sweep(new Date());
    await app.get(MediaSweep).sweep(new Date());
    return { needed: await neededBy(app), found: await foundIn(app, store) };
  } finally {
    await app.close();
  }
}

const query = <Row>(app: INestApplicationContext, sql: string, values: unknown[] = []): Promise<Row[]> =>
  app.get(DataSource).query<Row[]>(sql, values);

async function neededBy(app: INestApplicationContext): Promise<Kept> {
  const published = await query<{ generation: string; version: number }>(
    app,
    `SELECT generation_id AS generation, table_version AS version FROM dataset WHERE generation_id IS NOT NULL
     UNION SELECT generation_id, table_version FROM snapshot WHERE generation_id IS NOT NULL`,
  );
  const tags = await query<{ id: string }>(
    app,
    `SELECT tags_file AS id FROM dataset WHERE tags_file IS NOT NULL
     UNION SELECT tags_file FROM snapshot WHERE tags_file IS NOT NULL`,
  );
  const annotations = await query<{ id: string }>(
    app,
    `SELECT DISTINCT segment ->> 'id' AS id FROM annotation_state,
       jsonb_array_elements(sources) AS source, jsonb_array_elements(source -> 'segments') AS segment
     WHERE annotation_state.id IN (SELECT annotation_state FROM dataset UNION SELECT annotation_state FROM snapshot
      UNION SELECT annotation_state FROM export_task UNION SELECT annotation_state FROM evaluation)`,
  );
  const evaluations = await query<{ id: string }>(
    app,
    'SELECT DISTINCT result_file AS id FROM evaluation WHERE result_file IS NOT NULL',
  );
  const media = new Set<string>();
  for (const version of published) {
    const table = await app.get(MediaTableStore).open(version);
    for await (const rows of table.readRows(['thumbnailKey', 'source'])) {
      for (const { thumbnailKey, source } of rows) {
        if (thumbnailKey !== null) media.add(thumbnailKey);
        if (source.startsWith('store:')) media.add(source.slice('store:'.length));
      }
    }
  }
  const generations = [...new Set(published.map(({ generation }) => generation))].sort();
  return {
    tables: generations,
    edges: generations,
    tags: tags.map(({ id }) => id).sort(),
    annotations: annotations.flatMap(({ id }) => [id, id]).sort(),
    evaluations: evaluations.map(({ id }) => id).sort(),
    media: [...media].sort(),
    passing: [],
    rows: 0,
  };
}

async function foundIn(app: INestApplicationContext, store: string): Promise<Kept> {
  const names = async (folder: string): Promise<string[]> =>
    (await readdir(join(store, folder)).catch(() => [])).map((name) => name.replace(/\.[a-z]+$/, '')).sort();
  const tasks = await query<{ id: string }>(app, 'SELECT id FROM task');
  // The findings of these tasks are kept for the retry.
  const retryable = await app.get(TaskLedger).unfinishedAmong(tasks.map(({ id }) => id));
  const passing = await storedKeys(store, ...PASSING);
  const [left] = await query<{ rows: number }>(
    app,
    `SELECT (SELECT count(*) FROM analyzed_chunk)::int
          + (SELECT count(*) FROM applied_chunk WHERE NOT task_id = ANY($1::uuid[]))::int
          + (SELECT count(*) FROM upload_transaction)::int
          + (SELECT count(*) FROM generation WHERE id NOT IN
              (SELECT generation_id FROM dataset WHERE generation_id IS NOT NULL
               UNION SELECT generation_id FROM snapshot WHERE generation_id IS NOT NULL))::int AS rows`,
    [[...retryable]],
  );
  return {
    tables: await names('tables'),
    edges: await names('edges'),
    tags: await names('tags'),
    annotations: await names('annotations'),
    evaluations: await names('evaluations'),
    media: await storedKeys(store, ...MEDIA),
    passing: passing.filter((key) => !retryable.has(taskOfWork(key) ?? '')),
    rows: left!.rows,
  };
}
