import { connect } from '@lancedb/lancedb';
import { Schema, Table } from 'apache-arrow';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLaterColumn, mediaSchema } from '../../../src/common/engine/media-table/media-schema';
import type { TableVersion } from '../../../src/common/engine/media-table/table-version';
import { MediaTableStore } from '../../../src/common/engine/media-table/media-table-store';
import { OrdinalSet } from '../../../src/common/engine/media-table/ordinal-set';
import type { MediaRow } from '../../../src/common/engine/media-table/media-row';
import { decodeChunk, encodeBatch, toRecordBatch } from '../../../src/common/engine/media-table/row-batch';
import { DIMENSIONS, mediaRow, mediaRows } from '../../support/media-rows';

/** Rows in the format before any column was added. */
function earlierTable(rows: readonly MediaRow[]): Table {
  const table = new Table([toRecordBatch(rows, DIMENSIONS)]);
  return table.select(table.schema.fields.map(({ name }) => name).filter((name) => !isLaterColumn(name)) as never[]);
}

const earlierSchema = (): Schema =>
  new Schema(mediaSchema(DIMENSIONS).fields.filter(({ name }) => !isLaterColumn(name)));

describe('a media table without a later column', () => {
  let folder: string;
  let store: MediaTableStore;
  let early: TableVersion;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-later-'));
    store = new MediaTableStore({ uri: folder, storageOptions: {} });
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  beforeEach(async () => {
    const generation = randomUUID();
    const table = await (await connect(folder)).createEmptyTable(generation, earlierSchema());
    const { version } = await table.add(earlierTable(mediaRows(10)));
    early = { generation, version };
  });

  const rowsOf = async (at: TableVersion): Promise<MediaRow[]> => {
    const rows: MediaRow[] = [];
    for await (const batch of (await store.open(at)).readRows()) rows.push(...batch);
    return rows;
  };
  const added = [mediaRow(10, { sourceVersion: '"etag"' }), mediaRow(11)];

  it('has null in the column', async () => {
    expect(await rowsOf(early)).toEqual(mediaRows(10));
    const table = await store.open(early);
    expect(await table.takeRows([3], ['sourceVersion', 'id'])).toEqual([{ sourceVersion: null, id: mediaRow(3).id }]);
  });

  it('returns zeros if numbers are requested', async () => {
    const read = async (at: TableVersion): Promise<number[]> => {
      const values: number[] = [];
      for await (const { columns } of (await store.open(at)).readColumns(['kind', 'mislabel_confidence']))
        values.push(...(columns['mislabel_confidence'] as Float32Array));
      return values;
    };
    expect(await read(early)).toEqual(new Array(10).fill(0));
    const judged = mediaRow(10, { mislabelConfidence: 0.75, suggestedLabel: 'dog', classOutlierConfidence: 1 });
    const grown = await store.append(early, [[judged, mediaRow(11)]]);
    expect(await read(grown)).toEqual([...new Array<number>(10).fill(0), 0.75, 0]);
    expect((await rowsOf(grown))[10]).toEqual(judged);
  });

  it('returns another number if one is given', async () => {
    const read = async (at: TableVersion): Promise<number[]> => {
      const values: number[] = [];
      for await (const { columns } of (await store.open(at)).readColumns(['map_x', 'kind'], { absent: { map_x: -1 } }))
        values.push(...(columns['map_x'] as Float32Array));
      return values;
    };
    expect(await read(early)).toEqual(new Array(10).fill(-1));
    const grown = await store.append(early, [[mediaRow(10, { mapPlace: { x: 0.5, y: 0 } }), mediaRow(11)]]);
    expect(await read(grown)).toEqual([...new Array<number>(10).fill(-1), 0.5, -1]);
  });

  it('gets the column when rows are added, without changing earlier versions', async () => {
    const grown = await store.append(early, [added]);
    expect(grown).toMatchObject({ generation: early.generation, rows: 12 });
    expect(await rowsOf(grown)).toEqual([...mediaRows(10), ...added]);
    const table = await store.open(grown);
    expect((await table.takeRows([10, 0])).map(({ sourceVersion }) => sourceVersion)).toEqual(['"etag"', null]);
    expect([...(await table.filterOrdinals(`id = '${mediaRow(11).id}'`))]).toEqual([11]);
    expect(await rowsOf(await store.append(grown, [[mediaRow(12)]]))).toHaveLength(13);
    expect(await rowsOf(early)).toEqual(mediaRows(10));
  });

  it('gets the column again after a return to a version without it', async () => {
    await store.append(early, [mediaRows(3, 20)]);
    expect(await rowsOf(await store.append(early, [added]))).toEqual([...mediaRows(10), ...added]);
  });

  it('is copied with the column', async () => {
    const copy = await store.fork(early, randomUUID());
    expect(await rowsOf(copy)).toEqual(mediaRows(10));
    expect(await rowsOf(await store.append(copy, [added]))).toEqual([...mediaRows(10), ...added]);
  });

  it('is copied with the column and without some of its rows', async () => {
    const keep = OrdinalSet.of(10, [1, 4]);
    expect(await rowsOf(await store.fork(early, randomUUID(), keep))).toEqual([mediaRow(1), mediaRow(4)]);
    expect(await rowsOf(await store.fork(early, randomUUID(), OrdinalSet.all(10)))).toEqual(mediaRows(10));
  });

  it('keeps multimodal embeddings when it is appended to or copied', async () => {
    const described = [mediaRow(0, { multimodalEmbedding: Float32Array.of(0.6, 0.8) }), mediaRow(1)];
    const dimensions = { ...DIMENSIONS, multimodalEmbedding: 2 };
    const written = await store.create(randomUUID(), dimensions, [described]);
    expect((await store.open(written)).dimensions).toEqual(dimensions);
    const grown = await store.append(written, [added]);
    expect(await rowsOf(grown)).toEqual([...described, ...added]);
    const copy = await store.fork(grown, randomUUID());
    expect(await rowsOf(copy)).toEqual([...described, ...added]);
    const part = await store.fork(grown, randomUUID(), OrdinalSet.of(4, [0, 3]));
    expect(await rowsOf(part)).toEqual([described[0], added[1]]);
    expect((await store.open(part)).dimensions).toEqual(dimensions);
  });

  it('can also be read as a chunk', () => {
    const [batch] = earlierTable(mediaRows(4)).batches;
    expect(decodeChunk(encodeBatch(batch!))).toEqual(mediaRows(4));
  });
});
