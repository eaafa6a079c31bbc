import { randomUUID } from 'node:crypto';
import { TransactionRunner } from '../../src/common/platform/database/transaction-runner';
import { writeEdges } from '../../src/common/engine/media-table/edges-file';
import type { MediaRow } from '../../src/common/engine/media-table/media-row';
import { MediaTableStore, type WrittenTable } from '../../src/common/engine/media-table/media-table-store';
import { DEFAULT_IMAGE_MODEL, DEFAULT_TEXT_MODEL } from '../../src/common/platform/config/runtime-settings.schema';
import type { ObjectStore } from '../../src/common/platform/storage/object-store';
import { OBJECT_STORE } from '../../src/common/platform/storage/storage.module';
import { DatasetReader, GenerationRepository } from '../../src/modules/datasets';
import { DatasetStates } from '../../src/modules/datasets/for-operations';
import { mediaCollection } from './media-collection';
import type { ProgramInProcess } from './program-in-process';

/** The dimensions of the built-in models. */
export const DIMENSIONS = { embedding: 192, captionEmbedding: 256 };

/** The body of the answer, as it came. */
export async function answerTo(
  { url }: ProgramInProcess,
  method: string,
  path: string,
  body?: object,
): Promise<Buffer> {
  const response = await fetch(`${url}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const answer = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${answer.toString()}`);
  return answer;
}

export async function ask<T>(program: ProgramInProcess, method: string, path: string, body?: object): Promise<T> {
  const text = (await answerTo(program, method, path, body)).toString();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** Gives a dataset a generated table, as indexing would write it. */
export async function publish(
  { app }: ProgramInProcess,
  id: string,
  make: (generation: string) => Promise<WrittenTable>,
) {
  const [states, transactions] = [app.get(DatasetStates), app.get(TransactionRunner)];
  const generation = randomUUID();
  await app.get(GenerationRepository).insert({
    id: generation,
    writerTaskId: id,
    ownerDatasetId: id,
    clusteringId: randomUUID(),
    objectClusteringId: null,
    modelId: DEFAULT_IMAGE_MODEL,
    textModelId: DEFAULT_TEXT_MODEL,
    enrichments: {},
    ladder: [0.96, 0.93, 0.9, 0.85, 0.8],
    nearDuplicates: 0.95,
  });
  const table = await make(generation);
  await writeEdges(app.get<ObjectStore>(OBJECT_STORE), table, []);
  const counts = { images: table.rows, videos: 0, objects: 0, frames: 0 };
  await transactions.run(() => states.show(id, { table: { ...table, counts, thumbnailKey: null } }));
}

/** A READY dataset with generated rows, because indexing as many would take too long. */
export const makeDataset = (program: ProgramInProcess, rows: number): Promise<string> =>
  makeDatasetOf(program, String(rows), mediaCollection(rows, DIMENSIONS));

export async function makeDatasetOf(
  program: ProgramInProcess,
  name: string,
  rows: Iterable<MediaRow[]>,
): Promise<string> {
  const { app } = program;
  const [datasets, states] = [app.get(DatasetReader), app.get(DatasetStates)];
  const path = `/api/v1/ingestion/new_dataset?dataset_name=${name}`;
  const { dataset_id: id } = await ask<{ dataset_id: string }>(program, 'GET', path);
  await publish(program, id, (generation) => app.get(MediaTableStore).create(generation, DIMENSIONS, rows));
  await app.get(TransactionRunner).run(async () => {
    await states.change(await datasets.lock(id), 'indexing-started');
    await states.change(await datasets.lock(id), 'indexing-completed', { progress: 100 });
  });
  return id;
}
