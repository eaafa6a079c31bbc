import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { build, hand, install, testEnvironment } from './toolchain.mjs';

const IN_MEMORY = '/dev/shm';
const FOLDER = 'media-service-tests';
const TMPFS = 0x01021994;
const ENOUGH_BYTES = 4 * 1024 ** 3;

function hasRoomInMemory() {
  try {
    const { type, bavail, bsize } = statfsSync(IN_MEMORY);
    return type === TMPFS && bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** If processes of a killed run are still ending, the next run removes the rest. */
function removeIfUnused(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    console.warn(`${folder} is still in use: ${error.message}`);
  }
}

/** A file system in memory, if there is one: the tests write some hundred thousand small temporary files. */
function folderInMemory() {
  for (const name of readdirSync(IN_MEMORY)) {
    const [folder, pid] = name.split('.');
    if (folder === FOLDER && !isRunning(Number(pid))) removeIfUnused(join(IN_MEMORY, name));
  }
  const folder = mkdtempSync(join(IN_MEMORY, `${FOLDER}.${process.pid}.`));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const [tests, ...args] = process.argv.slice(2);
/** Test files given as arguments run even if `npm test` leaves them out. */
const areNamed = args.some((arg) => !arg.startsWith('-'));

await install();
await build();
const isChosen = process.env.TMPDIR !== undefined || !hasRoomInMemory();
await hand(['node_modules/jest/bin/jest.js', '--filter=./test/support/chosen-tests.cjs', ...args], {
  ...testEnvironment,
  TESTS: areNamed ? 'full' : tests,
  ...(isChosen ? {} : { TMPDIR: folderInMemory() }),
});
