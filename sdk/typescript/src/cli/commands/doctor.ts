import { MediaService } from '../../service.js';
import { SDK_VERSION, versionWarning } from '../../version.js';
import type { Command } from '../command.js';
import { EXIT } from '../exit.js';
import { accessOf, isReadableByOthers, profilePath, readProfile } from '../profile.js';

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly says: string;
}

const MOST_SECONDS_APART = 60;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function attempt(check: string, look: () => Promise<string>): Promise<Finding> {
  try {
    return { check, ok: true, says: await look() };
  } catch (error) {
    return { check, ok: false, says: messageOf(error) };
  }
}

async function profileSays(): Promise<string> {
  const path = profilePath();
  if ((await readProfile()) === undefined) return `none at ${path}`;
  if (await isReadableByOthers()) throw new Error(`${path} is readable by other users. Run "chmod 600 ${path}"`);
  return path;
}

async function clockSays(url: string): Promise<string> {
  const date = Date.parse((await fetch(`${url}/health/live`)).headers.get('date') ?? '');
  const apart = Math.round(Math.abs(date - Date.now()) / 1000);
  if (apart > MOST_SECONDS_APART)
    throw new Error(`the clocks of this machine and of the service differ by ${apart} seconds`);
  return 'within a minute of that of the service';
}

async function versionSays(url: string): Promise<string> {
  const warning = versionWarning((await fetch(`${url}/health/live`)).headers.get('x-dms-version'));
  if (warning !== undefined) throw new Error(warning);
  return `dms ${SDK_VERSION} is compatible with the service`;
}

async function healthSays(service: MediaService): Promise<string> {
  const { status, parts, warnings = [] } = await service.health();
  const text = Object.entries(parts).map(([name, state]) => `${name} ${state}`);
  if (status !== 'ok') throw new Error(text.join(', '));
  return [...text, ...warnings].join(', ');
}

export const doctor: Command = {
  name: 'doctor',
  operands: '',
  summary: 'Check the profile, the connection, the service and the sign-in',
  options: {},
  async run(run) {
    const findings = [await attempt('profile', profileSays)];
    const access = await accessOf(run.url).catch(() => undefined);
    if (access !== undefined) {
      const service = new MediaService({ ...access, retries: 0, checkVersion: false });
      findings.push(
        await attempt('address', async () => {
          const response = await fetch(`${service.connection.url}/health/live`).catch(() => undefined);
          if (response?.ok !== true) throw new Error(`no Dataset Media Service responds at ${access.url}`);
          return access.url;
        }),
      );
      if (findings.at(-1)!.ok) {
        findings.push(await attempt('service', () => healthSays(service)));
        findings.push(await attempt('clock', () => clockSays(service.connection.url)));
        const signIn = await attempt('sign-in', async () => {
          const { length } = await service.datasets();
          return `${access.credentials === undefined ? 'none is needed' : 'the key is accepted'}; ${length} datasets`;
        });
        findings.push(await attempt('version', () => versionSays(service.connection.url)), signIn);
      }
    }
    const isWell = findings.every(({ ok }) => ok);
    run.answer({ ok: isWell, checks: findings }, () =>
      run.table(
        ['CHECK', '', 'DETAILS'],
        findings.map(({ check, ok, says }) => [check, ok ? 'ok' : 'FAILED', says]),
      ),
    );
    return isWell ? EXIT.ok : EXIT.failed;
  },
};
