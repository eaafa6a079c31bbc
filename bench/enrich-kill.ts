import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Report } from './bench';
import { CaptionedDataset } from './support/captioned-dataset';

const PICTURES = Number(process.env['PICTURES'] ?? 3_000);
const KILLS = 3;
const PACE = { delayMs: 20, atOnce: 16 };
/** The chunk size of apply-model.step.ts and the number of concurrent requests. */
const CHUNK_MEDIA = 256 + PACE.atOnce;

const requestsOf = async ({ server }: CaptionedDataset): Promise<number> => (await server.counted()).requests;

async function run(report: Report): Promise<void> {
  const dataset = await CaptionedDataset.make(PICTURES, PACE);
  try {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = await requestsOf(dataset);
      const copy = await dataset.start();
      const half = before + PICTURES * (0.25 + 0.25 * kill);
      while ((await requestsOf(dataset)) < half) await delay(5);
      await dataset.killAndRestart();
      await dataset.untilReady(copy);
      const twice = (await requestsOf(dataset)) - before - PICTURES;
      const captioned = await dataset.captioned(copy);
      report.figure(`captioned pictures, kill ${kill + 1}`, captioned, '', `${PICTURES}`, captioned === PICTURES);
      report.figure(`pictures asked for twice, kill ${kill + 1}`, twice, '', `<=${CHUNK_MEDIA}`, twice <= CHUNK_MEDIA);
    }
  } finally {
    await dataset.remove();
  }
}

export const bench: Bench = {
  name: 'enrich-kill',
  summary:
    'the work that is done twice when the service is killed while it captions 3,000 pictures (PICTURES=1000 for fewer)',
  run,
};
