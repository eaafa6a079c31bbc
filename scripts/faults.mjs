// Runs the fault tests with larger counts than the other tests use: `npm run faults` runs all of them, `npm run faults -- NAME …` some.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, install, root, testEnvironment } from './toolchain.mjs';

const NODE = join(root, 'node_modules', '.bin', 'node');
const JEST = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const services = ['-c', join('test', 'services', 'jest.config.js')];

/** The name, the counts, and the test of each. */
const FAULTS = [
  { name: 'kills', tests: ['test/faults/random-kills'], variables: { KILLS: '1000' } },
  { name: 'upgrades', tests: ['killed-upgrades'], variables: { UPGRADES: '50' } },
  { name: 'failpoints', tests: ['failpoints', 'update-fencing'], variables: { FAILPOINTS: 'all' } },
  { name: 'postgres', tests: ['postgres-restarts'], variables: { STOPS: '50' } },
  { name: 'connections', tests: ['exhausted-pool', 'database-away', 'many-streams'], variables: {} },
  { name: 'media', tests: ['mutated-media'], variables: { MUTATIONS: '2000' } },
  { name: 'undo', tests: ['undone-edits'], variables: { EDITS: '10000' } },
  { name: 'races', tests: ['snapshot-races'], variables: { RACES: '200' } },
  {
    name: 'store',
    tests: [...services, 'unreliable-s3', 'full-s3-store'],
    variables: { COMMITS: '10000', ADDITIONS: '50' },
    needs: 'test/services/up minio',
  },
];

const names = process.argv.slice(2);
const unknown = names.filter((name) => !FAULTS.some((fault) => fault.name === name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Choose from ${FAULTS.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

await install();
await build();
const failed = [];
for (const { name, tests, variables, needs } of FAULTS) {
  if (names.length > 0 && !names.includes(name)) continue;
  const counts = Object.entries(variables).map(([key, value]) => `${key}=${process.env[key] ?? value}`);
  console.log(`\n== ${[name, ...counts].join(' ')}${needs === undefined ? '' : ` (after ${needs})`}`);
  const { status } = spawnSync(NODE, [JEST, ...tests, '--maxWorkers=1'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...testEnvironment, ...variables, ...process.env, PATH: testEnvironment.PATH },
  });
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.error(`\nfailed: ${failed.join(', ')}`);
  process.exit(1);
}
console.log('\nall passed');
