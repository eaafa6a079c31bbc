import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { EmbedResult } from '../src/common/engine/compute/media-analysis';
import { SearchPictures } from '../src/common/engine/compute/search-pictures';
import { DEFAULT_IMAGE_MODEL } from '../src/common/platform/config/runtime-settings.schema';
import { TooManyRequestsError } from '../src/common/platform/errors/domain-error';
import type { Bench, Report } from './bench';
import { asSharp, photograph } from './support/photographs';
import { ResidentMemory } from './support/process-tree';

const NOISY_AT_ONCE = 12;
const SEARCHES = 10;
/** Just below the limit of pixels. */
const JPEG_2000_SIDE = 7_000;
/** Includes the start of a child process. */
const MOST_SECONDS = 3;
const MOST_MB = 3_000;
const RETRY_MS = 50;

class Searches {
  refused = 0;

  constructor(
    private readonly pictures: SearchPictures,
    private readonly source: string,
    private readonly user: string,
  ) {}

  one(): Promise<EmbedResult> {
    const source = pathToFileURL(this.source).href;
    const request = { source, modelId: DEFAULT_IMAGE_MODEL, region: null, swapRedBlueForTiffHeic: false };
    return this.pictures.embed(this.user, request);
  }

  /** Sends the next request as soon as the last one succeeded, was refused or timed out. */
  async untilAborted(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.one();
      } catch (error) {
        if (!(error instanceof TooManyRequestsError)) throw error;
        this.refused += 1;
        await delay(RETRY_MS);
      }
    }
  }

  /** The slowest of several sequential requests, in seconds. */
  async slowest(): Promise<number> {
    let slowest = 0;
    for (let sent = 0; sent < SEARCHES; sent += 1) {
      const started = performance.now();
      const result = await this.one();
      if (result.kind === 'QUARANTINED') throw new Error(`The picture can't be searched with: ${result.detail}`);
      slowest = Math.max(slowest, (performance.now() - started) / 1_000);
    }
    return slowest;
  }
}

async function run(report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-noisy-'));
  const config = { storageUrl: pathToFileURL(join(folder, 'store')).href, s3: null, mediaBuckets: [] };
  const pictures = new SearchPictures({
    ...config,
    mediaRoots: [folder],
    baseUrl: 'http://127.0.0.1',
    dataDir: join(folder, 'data'),
    modelsDir: null,
    workerConcurrency: 1,
  });
  try {
    const [small, large] = [join(folder, 'small.jpg'), join(folder, 'large.jp2')];
    await writeFile(small, await asSharp(photograph(1, 0)).jpeg().toBuffer());
    const drawn = `color=color=gray:size=${JPEG_2000_SIDE}x${JPEG_2000_SIDE}`;
    await promisify(execFile)('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', drawn, '-frames:v', '1', large]);
    const memory = new ResidentMemory();
    const [other, noisy] = [new Searches(pictures, small, 'other'), new Searches(pictures, large, 'noisy')];
    await other.one();
    const alone = await other.slowest();
    const over = new AbortController();
    const noise = Array.from({ length: NOISY_AT_ONCE }, () => noisy.untilAborted(over.signal));
    const beside = await other.slowest();
    over.abort();
    await Promise.all(noise);
    report.note(
      `${NOISY_AT_ONCE} JPEG 2000 of ${JPEG_2000_SIDE} x ${JPEG_2000_SIDE} at once by one user; a photograph by another`,
    );
    report.figure('slowest search by picture alone', alone, 's', `<=${MOST_SECONDS}`, alone <= MOST_SECONDS);
    report.figure('slowest beside the noisy user', beside, 's', `<=${MOST_SECONDS}`, beside <= MOST_SECONDS);
    report.figure('pictures refused to the noisy user', noisy.refused, '', '>0', noisy.refused > 0);
    const most = memory.stop() / 1e6;
    report.figure('memory of all processes', most, 'MB', `<=${MOST_MB}`, most <= MOST_MB);
  } finally {
    await pictures.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

export const bench: Bench = {
  name: 'noisy-user',
  summary: 'searches by picture of a user while another sends large pictures without end',
  run,
};
