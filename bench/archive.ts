import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import type { Bench, Report } from './bench';
import { asSharp, photograph } from './support/photographs';
import { cpuSecondsOf, processTree, ResidentMemory } from './support/process-tree';
import { RunningService } from './support/running-service';
import { streamedZip } from './support/streamed-zip';

const GB = 1e9;
const MB = 1e6;
const MEMBER_BYTES = 100_000;
const ARCHIVE_BYTES = Number(process.env['BYTES'] ?? 10 * GB);
const MEMBERS = Math.max(1, Math.round(ARCHIVE_BYTES / MEMBER_BYTES));
const MAX_GROWTH_MB = 400;
const MAX_DISK = 1.2;
const SEED = 7;
const BOUNDARY = 'boundary-of-the-bench';

/** The members differ in the bytes after the end of the image, and are as incompressible as images. */
function* members(picture: Buffer): Generator<{ name: string; bytes: Buffer }> {
  const filled = Buffer.concat([picture, randomBytes(MEMBER_BYTES)]).subarray(0, MEMBER_BYTES);
  for (let at = 0; at < MEMBERS; at += 1) {
    const bytes = Buffer.from(filled);
    bytes.writeUInt32LE(at, MEMBER_BYTES - 4);
    yield { name: `camera-${at % 50}/${at}.jpg`, bytes };
  }
}

function* form(picture: Buffer, onSent: (bytes: number) => void): Generator<Buffer> {
  yield Buffer.from(
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="archive"; filename="all.zip"\r\n` +
      'content-type: application/zip\r\n\r\n',
  );
  for (const piece of streamedZip(members(picture))) {
    onSent(piece.length);
    yield piece;
  }
  yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
}

async function send(url: string, body: Readable): Promise<void> {
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const sending = request(url, { method: 'POST', headers });
  const answered = new Promise<[number | undefined, string]>((resolve, reject) => {
    sending.once('error', reject);
    sending.once('response', (response) => {
      text(response).then((said) => resolve([response.statusCode, said]), reject);
    });
  });
  await pipeline(body, sending);
  const [status, said] = await answered;
  if (status !== 202) throw new Error(`The upload of the archive returned ${status}: ${said}`);
}

/** The size of the files in the store. The database and its logs do not depend on the archive. */
async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}

/** The lag of the event loop since the last call. */
async function eventLoopLag(url: string): Promise<string> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const read = (name: string): string => {
    const seconds = new RegExp(`^nodejs_eventloop_lag_${name}_seconds (.+)$`, 'm').exec(metrics)?.[1];
    return `${(Number(seconds) * 1000).toFixed(0)} ms`;
  };
  return `its event loop late by ${read('p99')} (p99), ${read('max')} at most`;
}

async function measure(report: Report, folder: string): Promise<void> {
  const source = join(folder, 'source');
  const picture = await asSharp(photograph(SEED, 0, 400, 267))
    .jpeg()
    .toBuffer();
  await mkdir(source);
  await writeFile(join(source, 'first.jpg'), picture);
  const service = await RunningService.start(join(folder, 'data'), [folder]);
  try {
    const dataset = await service.createFromFolder('Archive', source);
    await service.untilReady(dataset);
    const store = join(folder, 'data', 'store');
    const bytesBefore = await bytesIn(store);
    const residentBefore = processTree(service.processId).residentBytes;
    const memory = new ResidentMemory(service.processId);
    let sent = 0;
    const body = Readable.from(form(picture, (bytes) => (sent += bytes)));
    await eventLoopLag(service.url);
    const cpuBefore = cpuSecondsOf(service.processId);
    const started = performance.now();
    await send(`${service.url}/api/v1/dataset/${dataset}/add_media`, body);
    const seconds = (performance.now() - started) / 1000;
    const cpu = cpuSecondsOf(service.processId) - cpuBefore;
    const lag = await eventLoopLag(service.url);
    const growth = (memory.stop() - residentBefore) / MB;
    const disk = ((await bytesIn(store)) - bytesBefore) / sent;
    report.note(`${MEMBERS} members, ${(sent / GB).toFixed(2)} GB, until it is accepted: ${seconds.toFixed(1)} s`);
    report.note(`${(sent / MB / seconds).toFixed(0)} MB and ${(MEMBERS / seconds).toFixed(0)} members a second`);
    report.note(`the process that receives it: ${cpu.toFixed(1)} s of processor time, ${lag}`);
    report.figure('resident memory grown', growth, 'MB', `below ${MAX_GROWTH_MB}`, growth < MAX_GROWTH_MB);
    report.figure('disk', disk, "of the archive's size", `below ${MAX_DISK}`, disk < MAX_DISK);
  } finally {
    await service.stop();
  }
}

export const bench: Bench = {
  name: 'archive',
  summary: 'unpacking a zip of 10 GB (BYTES) with 100,000 small images into the store: memory, disk, time',
  async run(report) {
    const folder = await mkdtemp(join(tmpdir(), 'dms-bench-archive-'));
    try {
      await measure(report, folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
