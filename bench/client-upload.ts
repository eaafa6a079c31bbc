import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Report } from './bench';
import { countingProxy } from './support/counting-proxy';
import { curlUpload } from './support/curl-upload';
import { buildDms, DmsUpload } from './support/dms-upload';
import { photographFolder } from './support/photograph-folder';
import { RunningService } from './support/running-service';

const FILES = Number(process.env['FILES'] ?? 10_000);
const FILES_KILLED = Math.min(FILES, 1_000);
const DISTINCT = 32;
const BYTES = 300_000;
const CONNECTIONS = 8;
/** The number of these files that `dms` sends per request. */
const FILES_EACH = 13;
const GOAL_RATE = 0.7;
const GOAL_BYTES = 200e6;

/** Different JPEGs of exactly this size; decoders ignore the bytes after the end of the image. */
async function writeFiles(folder: string, count: number): Promise<string[]> {
  const photographs = await photographFolder(DISTINCT);
  const sources = await Promise.all(
    (await readdir(photographs)).sort().map((name) => readFile(join(photographs, name))),
  );
  await mkdir(folder);
  const names = Array.from({ length: count }, (_, at) => `${String(at).padStart(6, '0')}.jpg`);
  for (const [at, name] of names.entries()) {
    const bytes = Buffer.alloc(BYTES);
    sources[at % DISTINCT]!.copy(bytes);
    bytes.writeUInt32LE(at, BYTES - 4);
    await writeFile(join(folder, name), bytes);
  }
  return names;
}

async function withCurl(service: RunningService, folder: string, names: readonly string[], config: string) {
  const draft = await service.ask<{ dataset_id: string }>('GET', '/api/v1/ingestion/new_dataset?dataset_name=curl');
  const base = `/api/v1/ingestion/${draft.dataset_id}/data_files`;
  const { trans_id: transaction } = await service.ask<{ trans_id: number }>('GET', base);
  const url = `${service.url}${base}/${transaction}`;
  return curlUpload({ url, folder, names, filesEach: FILES_EACH, connections: CONNECTIONS, config });
}

async function compare(report: Report, work: string, folder: string, names: readonly string[]): Promise<void> {
  const service = await RunningService.start(join(work, 'data'), [], { RATE_LIMIT_UPLOAD: '0' });
  try {
    const curl = await withCurl(service, folder, names, join(work, 'curl'));
    const started = performance.now();
    const upload = new DmsUpload(service.url, folder, 'dms', join(work, 'state'));
    const { files } = await upload.result();
    const seconds = (performance.now() - started) / 1000;
    if (files !== names.length) throw new Error(`${files} of ${names.length} files were uploaded`);
    const rate = curl / seconds;
    report.note(
      `${names.length} files of ${BYTES / 1e3} KB: curl ${curl.toFixed(1)} s, dms upload ${seconds.toFixed(1)} s`,
    );
    report.figure('rate of dms upload, compared with curl', rate, '', `>=${GOAL_RATE}`, rate >= GOAL_RATE);
    report.figure('memory of dms', upload.highestBytes / 1e6, 'MB', '<200', upload.highestBytes < GOAL_BYTES);
  } finally {
    await service.stop('SIGKILL');
  }
}

/** Kills an upload after a third of the files, and starts it again. */
async function killed(report: Report, work: string, folder: string): Promise<void> {
  const service = await RunningService.start(join(work, 'data-killed'), []);
  const proxy = await countingProxy(service.url);
  try {
    const state = join(work, 'state-killed');
    const first = new DmsUpload(proxy.url, folder, 'killed', state);
    while (proxy.sent.size < FILES_KILLED / 3) await delay(5);
    await first.kill();
    const { files, skipped } = await new DmsUpload(proxy.url, folder, 'killed', state).result();
    const missing = FILES_KILLED - proxy.sent.size;
    const twice = [...proxy.sent.values()].filter((times) => times > 1).length;
    if (files !== FILES_KILLED || missing > 0) throw new Error(`${files} files were uploaded, ${missing} never sent`);
    const most = CONNECTIONS * FILES_EACH;
    report.note(`killed with SIGKILL: ${skipped} of ${FILES_KILLED} files were known to be received`);
    report.figure('files sent twice after a kill', twice, '', `<=${most}`, twice <= most);
  } finally {
    proxy.close();
    await service.stop('SIGKILL');
  }
}

export const bench: Bench = {
  name: 'client-upload',
  summary:
    '10,000 files of 300 KB by `dms upload` (`FILES=1000` for fewer), compared with curl: time, memory, and what is sent twice after a kill',
  async run(report) {
    await buildDms();
    const work = await mkdtemp(join(tmpdir(), 'bench-client-upload-'));
    try {
      const folder = join(work, 'files');
      const names = await writeFiles(folder, FILES);
      await compare(report, work, folder, names);
      await Promise.all(names.slice(FILES_KILLED).map((name) => rm(join(folder, name))));
      await killed(report, work, folder);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  },
};
