import { execFile } from 'node:child_process';
import { appendFile, copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { MediaRow } from '../src/common/engine/media-table/media-row';
import type { Bench, Report } from './bench';
import { exported } from './support/exported-archive';
import { longestTurn } from './support/longest-turn';
import { DIMENSIONS, makeDatasetOf } from './support/made-dataset';
import { mediaCollection } from './support/media-collection';
import { photographFolder } from './support/photograph-folder';
import { ResidentMemory, processTree } from './support/process-tree';
import { inProgram, type ProgramInProcess } from './support/program-in-process';

const IMAGES = Number(process.env['IMAGES'] ?? 20_000);
const MADE = Math.min(IMAGES, 2_000);
const PARTS = 2;
const GOAL_RATIO = 0.6;

const run = promisify(execFile);

/** A few photographs copied with changed bytes, so that no two are equal, in several folders. */
async function imageFolders(dataDir: string): Promise<string[]> {
  const made = await photographFolder(MADE);
  const names = await readdir(made);
  const folders = Array.from({ length: PARTS }, (_, part) => join(dataDir, 'images', String(part)));
  await Promise.all(folders.map((folder) => mkdir(folder, { recursive: true })));
  for (let image = 0; image < IMAGES; image++) {
    const copy = join(folders[image % PARTS]!, `${image}.jpg`);
    await copyFile(join(made, names[image % MADE]!), copy);
    await appendFile(copy, `${image}`);
  }
  return folders;
}

function* withSources(folders: readonly string[]): Generator<MediaRow[]> {
  let image = 0;
  for (const rows of mediaCollection(IMAGES, DIMENSIONS)) {
    yield rows.map((row) => {
      const [path, source] = [`${image}.jpg`, pathToFileURL(join(folders[image % PARTS]!, `${image}.jpg`)).href];
      image += 1;
      return { ...row, fileName: path, path, source };
    });
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** The manual equivalent: copy a folder, then store it in an archive. */
async function byHand(folder: string): Promise<{ copy: number; zip: number }> {
  const [copied, archive] = [`${folder}-copy`, `${folder}.zip`];
  const copy = await seconds(() => run('cp', ['-r', folder, copied]));
  const zip = await seconds(() => run('zip', ['-0', '-q', '-r', archive, copied]));
  await rm(copied, { recursive: true });
  await rm(archive);
  return { copy, zip };
}

/** Verifies the archive with another program. */
async function check(report: Report, uri: string, dataDir: string): Promise<void> {
  const archive = join(dataDir, 'exported.zip');
  await run('curl', ['--silent', '--show-error', '--fail', '--output', archive, uri]);
  const { stdout } = await run('unzip', ['-t', archive], { maxBuffer: 2 ** 30 });
  const images = stdout.split('\n').filter((line) => /testing: images\/.* OK$/.test(line)).length;
  report.figure('images that `unzip -t` finds whole', images, '', `${IMAGES}`, images === IMAGES);
}

async function measure(report: Report, program: ProgramInProcess): Promise<void> {
  const folders = await imageFolders(program.dataDir);
  const id = await makeDatasetOf(program, 'Images', withSources(folders));
  const first = await byHand(folders[0]!);
  const before = processTree().residentBytes;
  const memory = new ResidentMemory();
  let uri = '';
  let taken = 0;
  const longest = await longestTurn(async () => {
    taken = await seconds(async () => {
      uri = await exported(program, id, 'export_format=json&include_images=true');
    });
  });
  const grown = memory.stop() - before;
  const second = await byHand(folders[1]!);
  const [copy, zip] = [first.copy + second.copy, first.zip + second.zip];
  const ratio = (copy + zip) / taken;
  report.note(
    `export ${taken.toFixed(1)} s; cp ${copy.toFixed(1)} s, zip -0 ${zip.toFixed(1)} s, half before and half after`,
  );
  report.note(`longest turn of the event loop ${longest.toFixed(0)} ms`);
  report.figure(`${IMAGES} images exported, ratio to cp and zip -0`, ratio, '', `>=${GOAL_RATIO}`, ratio >= GOAL_RATIO);
  report.figure('resident memory grown', grown / 1e6, 'MB', '<=400', grown <= 400e6);
  await check(report, uri, program.dataDir);
}

export const bench: Bench = {
  name: 'export-images',
  summary:
    '20,000 images of 300 KB exported (`IMAGES=2000` for fewer), compared with `cp` and `zip -0` of the same files',
  run: (report) => inProgram((program) => measure(report, program)),
};
