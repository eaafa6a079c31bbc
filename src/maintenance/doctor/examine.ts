import { availableParallelism } from 'node:os';
import { statfs } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { hasVideoSupport } from '../../common/engine/compute/video-tools';
import { ModelRegistry } from '../../common/engine/models/model-registry';
import { readConfiguration, type Configuration } from '../../common/platform/config/configuration';
import { createStorage } from '../../common/platform/storage/create-storage';
import { check, broken, ok, warning, type CheckResult, type Verdict } from './check';
import { checkDatabase, clockVerdict } from './check-database';
import { checkProvider, checkRay } from './check-provider';

const LITTLE_SPACE = 5 * 2 ** 30;
const NO_SPACE = 512 * 2 ** 20;
const GIB = 2 ** 30;

/** Checks all configured parts. Changes nothing except for a temporary object in the store. */
export async function examine(variables?: Readonly<Record<string, string | undefined>>): Promise<CheckResult[]> {
  let configuration: Configuration | undefined;
  const first = await check('configuration', () => {
    configuration = readConfiguration(variables);
    return Promise.resolve(ok(`${configuration.runMode}, role ${configuration.role}, at ${configuration.baseUrl}`));
  });
  if (configuration === undefined) return [first];
  const given = configuration;
  return [
    first,
    ...(await checkDatabase(given)),
    ...(await Promise.all([
      check('store', () => store(given)),
      check('clock of the store', () => storeClock(given)),
      check('identity provider', () => checkProvider(given)),
      check('Ray cluster', () => checkRay(given)),
      check('models', () => models(given)),
      check('videos', videos),
      check('disk', () => disk(given)),
      check('processors', () => processors(given)),
    ])),
  ];
}

async function store(configuration: Configuration): Promise<Verdict> {
  await createStorage(configuration).store.check();
  return ok(`${configuration.storageUrl} can be written, with conditions`);
}

async function storeClock({ storageUrl, s3 }: Configuration): Promise<Verdict> {
  if (s3 === null || !storageUrl.startsWith('s3://')) return ok('The store is a folder of this machine');
  const response = await fetch(s3.endpoint, { method: 'HEAD' });
  const date = response.headers.get('date');
  if (date === null) return warning('The store does not tell its time.');
  return clockVerdict('the store', Date.now() - Date.parse(date));
}

async function models({ modelsDir, dataDir }: Configuration): Promise<Verdict> {
  const registry = await ModelRegistry.load(modelsDir, { dataDir });
  const bad = registry.broken();
  if (bad.length === 0) return ok(`${registry.all().length} models`);
  return warning(
    `Correct or remove these folders: ${bad.map(({ folder, reason }) => `${folder} (${reason})`).join('; ')}`,
  );
}

async function videos(): Promise<Verdict> {
  if (await hasVideoSupport()) return ok('ffmpeg and ffprobe are installed');
  return warning('Install ffmpeg with ffprobe and put both on the PATH; without them videos are rejected.');
}

async function disk({ dataDir, storageUrl }: Configuration): Promise<Verdict> {
  const places = [dataDir, ...(storageUrl.startsWith('file://') ? [fileURLToPath(storageUrl)] : [])];
  let least: { place: string; free: number } | undefined;
  for (const place of places) {
    const { bavail, bsize } = await statfs(place);
    if (least === undefined || bavail * bsize < least.free) least = { place, free: bavail * bsize };
  }
  const { place, free } = least!;
  const says = `${(free / GIB).toFixed(1)} GiB are free at ${place}`;
  if (free < NO_SPACE) return broken(`${says}: make room.`);
  return free < LITTLE_SPACE ? warning(`${says}: make room before you index more.`) : ok(says);
}

function processors({ workerConcurrency }: Configuration): Promise<Verdict> {
  const there = availableParallelism();
  const says = `WORKER_CONCURRENCY=${workerConcurrency} on ${there} processors`;
  return Promise.resolve(workerConcurrency > there ? warning(`${says}: lower it.`) : ok(says));
}
