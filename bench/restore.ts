import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { SCHEMA } from '../src/app.module';
import { CONFIGURATION, readConfiguration, type Configuration } from '../src/common/platform/config/configuration';
import { makeBackup } from '../src/maintenance/backup/make-backup';
import { restoreBackup } from '../src/maintenance/backup/restore-backup';
import { verifyInstallation } from '../src/maintenance/verify/verify-installation';
import type { Bench, Report } from './bench';
import { ask, makeDataset } from './support/made-dataset';
import { inProgram, type ProgramInProcess } from './support/program-in-process';

const ROWS = Number(process.env['ROWS'] ?? 100_000);
const LIMIT_MINUTES = 15;
const MEGABYTE = 1e6;

const silent = (): void => undefined;

async function minutes(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 60_000;
}

async function measure(report: Report, program: ProgramInProcess, folder: string): Promise<void> {
  const id = await makeDataset(program, ROWS);
  await ask(program, 'POST', `/api/v1/dataset/${id}/snapshot`);
  const place = join(folder, 'backup');
  // A program in this process does not lock its data folder, from which backup would get the address of the database.
  const { url } = program.app.get(DataSource).options as { url: string };
  const configuration = { ...program.app.get<Configuration>(CONFIGURATION), databaseUrl: url };
  let bytes = 0;
  const backup = async (): Promise<void> => {
    bytes = (await makeBackup({ configuration, place, print: silent })).bytes;
  };
  const first = await minutes(backup);
  const second = await minutes(backup);
  const secretKey = await readFile(join(program.dataDir, 'secret.key'), 'utf8');
  const there = readConfiguration({ DATA_DIR: join(folder, 'there'), SECRET_KEY: secretKey.trim() });
  const restore = await minutes(() => restoreBackup({ configuration: there, schema: SCHEMA, place, print: silent }));
  const wrong: string[] = [];
  const found = ({ kind, object }: { kind: string; object: string }): void => {
    if (kind === 'damaged') wrong.push(object);
  };
  const verify = await minutes(() =>
    verifyInstallation({ configuration: there, quick: false, found, waiting: silent }),
  );
  report.note(`${ROWS} media, ${(bytes / MEGABYTE).toFixed(0)} MB in the backup`);
  const drill = first + restore;
  report.figure('first backup and restore', drill, 'min', `<${LIMIT_MINUTES}`, drill < LIMIT_MINUTES);
  report.figure('backup again, nothing changed', second, 'min', '<=first', second <= first);
  report.figure('verification of what was restored', verify, 'min', `<${LIMIT_MINUTES}`, verify < LIMIT_MINUTES);
  report.figure('damaged objects', wrong.length, '', '0', wrong.length === 0);
}

export const bench: Bench = {
  name: 'restore',
  summary: 'backup, backup again and restore of 100k media (`ROWS=1000` for fewer)',
  async run(report) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-restore-'));
    try {
      await inProgram((program) => measure(report, program, folder));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
