import { createWriteStream } from 'node:fs';
import { open, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inflateRawSync, zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { MediaTableStore } from '../src/common/engine/media-table/media-table-store';
import { DatasetReader } from '../src/modules/datasets';
import type { Bench, Report } from './bench';
import { longestTurn } from './support/longest-turn';
import { exported } from './support/exported-archive';
import { makeDataset } from './support/made-dataset';
import { ResidentMemory, processTree } from './support/process-tree';
import { inProgram, type ProgramInProcess } from './support/program-in-process';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
const GOAL_SECONDS = { parquet: 20, json: 40 } as const;
const GOAL_BYTES = 400e6;
const BATCH_ROWS = 8_192;

const compressors = { ZSTD: (bytes: Uint8Array): Uint8Array => zstdDecompressSync(bytes) };

async function measure(report: Report, program: ProgramInProcess, id: string, format: 'parquet' | 'json') {
  const before = processTree();
  const memory = new ResidentMemory();
  let uri = '';
  let seconds = 0;
  const longest = await longestTurn(async () => {
    const started = performance.now();
    uri = await exported(program, id, `export_format=${format}`);
    seconds = (performance.now() - started) / 1000;
  });
  const grown = memory.stop() - before.residentBytes;
  const cpuSeconds = processTree().cpuSeconds - before.cpuSeconds;
  const goal = GOAL_SECONDS[format];
  report.figure(`${format}, request to COMPLETED, ${ROWS} media`, seconds, 's', `<${goal}`, seconds < goal);
  report.figure(`${format}, resident memory grown`, grown / 1e6, 'MB', '<=400', grown <= GOAL_BYTES);
  report.note(`longest turn of the event loop ${longest.toFixed(0)} ms; ${cpuSeconds.toFixed(1)} s of processor time`);
  return uri;
}

/** The unpacked content of the only member of an archive. */
async function memberOf(uri: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-export-'));
  try {
    const path = join(folder, 'export.zip');
    const response = await fetch(uri);
    await pipeline(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), createWriteStream(path));
    const file = await open(path);
    const { size } = await file.stat();
    const bytes = Buffer.alloc(size);
    await file.read(bytes, 0, size, 0);
    await file.close();
    const directory = bytes.readUInt32LE(size - 6);
    const packed = Number(bytes.readBigUInt64LE(directory + 46 + bytes.readUInt16LE(directory + 28) + 12));
    const start = 30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
    return inflateRawSync(bytes.subarray(start, start + packed));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads the file in batches of rows, with another library than the one that wrote it. */
async function compare(report: Report, program: ProgramInProcess, id: string, uri: string): Promise<void> {
  const bytes = await memberOf(uri);
  const file = new Uint8Array(bytes).buffer;
  const { pointer } = (await program.app.get(DatasetReader).find(id))!;
  const table = await program.app.get(MediaTableStore).open(pointer!);
  let different = 0;
  let rowStart = 0;
  const fields = ['id', 'fileName', 'path', 'width', 'height', 'uniqueness', 'caption', 'labels'] as const;
  for await (const rows of table.readRows(fields, { batchRows: BATCH_ROWS })) {
    const read = await parquetReadObjects({ file, compressors, rowStart, rowEnd: rowStart + rows.length });
    rows.forEach((row, at) => {
      const found = read[at]!;
      const expected = [row.id, row.fileName, row.path, row.width, row.height, row.uniqueness, row.caption, row.labels];
      const columns = [
        'media_id',
        'file_name',
        'file_path',
        'width',
        'height',
        'uniqueness_score',
        'caption',
        'labels',
      ];
      if (JSON.stringify(columns.map((name): unknown => found[name])) !== JSON.stringify(expected)) different += 1;
    });
    rowStart += rows.length;
  }
  report.figure('rows of the Parquet file that differ from the table', different, '', '0', different === 0);
}

export const bench: Bench = {
  name: 'export',
  summary: 'metadata of a million media as Parquet and JSON (`ROWS=100000` for fewer): time, memory and correctness',
  run: (report) =>
    inProgram(async (program) => {
      const id = await makeDataset(program, ROWS);
      const parquet = await measure(report, program, id, 'parquet');
      await measure(report, program, id, 'json');
      await compare(report, program, id, parquet);
    }),
};
