// Runs a Jest command, and then each failed test file once more by itself: `node scripts/rerun-failed.mjs npm test -- FILTER`. If a file passes the
// second time, it is printed as `flaky: FILE` and the run passes. Find the cause of each such file.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root } from './toolchain.mjs';

/** With this many failed files or more, the run fails without a second attempt. */
const TOO_MANY_FILES = 3;

const words = process.argv.slice(2);
const separator = words.includes('--') ? words.indexOf('--') : words.length;
const command = words.slice(0, separator);
const filters = words.slice(separator + 1);
const folder = mkdtempSync(join(tmpdir(), 'test-results-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

function passes(...jestArgs) {
  const [program, ...args] = command;
  const { status } = spawnSync(program, [...args, '--', ...jestArgs], { cwd: root, stdio: 'inherit' });
  return status === 0;
}

/** The files with a failed test; undefined if the run ended without results. */
function failedFiles(results) {
  try {
    const { testResults } = JSON.parse(readFileSync(results, 'utf8'));
    return testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name));
  } catch {
    return undefined;
  }
}

const results = join(folder, 'results.json');
if (passes(...filters, '--json', `--outputFile=${results}`)) process.exit(0);

const files = failedFiles(results);
if (files === undefined || files.length === 0 || files.length >= TOO_MANY_FILES) process.exit(1);
console.log(`\nFailed; running again separately: ${files.join(', ')}`);
const broken = files.filter((file) => !passes('--runTestsByPath', file));
for (const file of files) console.log(broken.includes(file) ? `failed twice: ${file}` : `flaky: ${file}`);
process.exit(broken.length === 0 ? 0 : 1);
