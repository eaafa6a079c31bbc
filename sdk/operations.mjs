// Writes OPERATIONS.md: for each operation of openapi.json, the SDK test that calls it, from the calls that both `check` scripts recorded in their
// last run. With --check it only compares, and fails if no test calls an operation, or if the listed test does not.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const table = join(here, 'OPERATIONS.md');
const SDKS = ['typescript', 'python'];
const HEAD = `# Which SDK test calls which operation

\`node sdk/operations.mjs\` writes this table after \`sdk/typescript/check\` and \`sdk/python/check\`. A status stands beside a test if the service
never answers the tests with success, mostly because the operation requires an identity provider.

| operation | route | TypeScript | Python |
|---|---|---|---|
`;

function operations() {
  const { paths } = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
  return Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, { operationId: id }]) => {
      // The path of a media file contains slashes.
      const pattern = route.replaceAll('{path}', '.+').replaceAll(/\{\w+\}/g, '[^/]+');
      const fixed = route.split('/').filter((part) => !part.startsWith('{')).length;
      return { id, method: method.toUpperCase(), route, pattern: new RegExp(`^${pattern}$`, 'i'), fixed };
    }),
  );
}

/** By SDK and operation, the tests that called it with the lowest status of the responses. */
function recorded(all) {
  // The route with more fixed segments wins, as in the service.
  const byPrecision = [...all].sort((a, b) => b.fixed - a.fixed);
  return Object.fromEntries(
    SDKS.map((sdk) => {
      const calls = new Map(all.map(({ id }) => [id, new Map()]));
      for (const line of recordsOf(sdk)) {
        const { test, method, path, status } = JSON.parse(line);
        const operation = byPrecision.find((each) => each.method === method && each.pattern.test(path));
        if (operation === undefined) continue;
        const tests = calls.get(operation.id);
        tests.set(test, Math.min(status, tests.get(test) ?? status));
      }
      return [sdk, calls];
    }),
  );
}

function recordsOf(sdk) {
  const file = join(root, 'node_modules', '.cache', 'sdk-calls', sdk, 'calls.jsonl');
  try {
    return readFileSync(file, 'utf8').trim().split('\n');
  } catch {
    throw new Error(`${file} does not exist. Run sdk/${sdk}/check first.`);
  }
}

/** By operation, the tests listed in the table. */
function named() {
  let text = '';
  try {
    text = readFileSync(table, 'utf8');
  } catch {
    // The table does not exist yet.
  }
  const rows = [...text.matchAll(/^\| `(\w+)` \| .*? \| (.*?) \| (.*?) \|$/gm)];
  return new Map(rows.map(([, id, ...tests]) => [id, tests.map((test) => test.replace(/ \(\d+\)$/, ''))]));
}

/** The listed test if it still calls the operation, otherwise one with a successful response. Where the table lists no test, none is required. */
function chosen(tests, before) {
  if (isCheck && before === '') return '';
  const best = Math.min(...tests.values());
  const [other] = [...tests].filter(([, status]) => status === best).sort(([a], [b]) => (a < b ? -1 : 1));
  const kept = tests.has(before) && (tests.get(before) < 400 || best >= 400) ? before : other?.[0];
  if (kept === undefined) return '';
  return tests.get(kept) < 400 ? kept : `${kept} (${tests.get(kept)})`;
}

const isCheck = process.argv.includes('--check');
const all = operations();
const calls = recorded(all);
const before = named();
const rows = all.map(({ id, method, route }) => {
  const tests = SDKS.map((sdk, at) => chosen(calls[sdk].get(id), before.get(id)?.[at]));
  return { id, tests, text: `| \`${id}\` | ${method} ${route} | ${tests.join(' | ')} |` };
});
const text = `${HEAD}${rows.map((row) => row.text).join('\n')}\n`;
const missing = rows.filter(({ tests }) => tests.every((test) => test === '')).map(({ id }) => id);

if (isCheck) {
  if (missing.length > 0) console.error(`No SDK test calls ${missing.join(', ')}.`);
  const isBehind = readFileSync(table, 'utf8') !== text;
  if (isBehind) console.error('sdk/OPERATIONS.md is not up to date. Run node sdk/operations.mjs, and commit it.');
  process.exitCode = missing.length > 0 || isBehind ? 1 : 0;
} else {
  writeFileSync(table, text);
  console.log(missing.length > 0 ? `No SDK test calls ${missing.join(', ')}.` : 'Every operation is called.');
}
