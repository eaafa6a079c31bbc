import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..', '..');
const PATH = '/api/v1/datasets';

const run = promisify(execFile);

interface Operation {
  readonly parameters: readonly object[];
}

/** The names of the rules that a description breaks. */
async function brokenRules(...file: readonly string[]): Promise<string[]> {
  const outcome = run(process.execPath, [join(ROOT, 'scripts', 'lint-description.mjs'), ...file]);
  const report = await outcome.then(
    () => '',
    (error: unknown) => (error as { stderr: string }).stderr,
  );
  return report
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' ')[0]!);
}

describe('the rules for the API description', () => {
  let folder: string;
  let text: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-lint-'));
    text = await readFile(join(ROOT, 'openapi.json'), 'utf8');
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('accept openapi.json', async () => expect(await brokenRules()).toEqual([]));

  it.each<[string, string, (operation: Operation) => object]>([
    ['success', 'rule/operation-success-response', () => ({ responses: { 404: { description: 'No.' } } })],
    ['error', 'operation-4xx-response', () => ({ responses: { 200: { description: 'Yes.' } } })],
    ['summary', 'operation-summary', () => ({ summary: '' })],
    ['definition of its credentials', 'security-defined', () => ({ security: [{ nothing: [] }] })],
    [
      'description of a parameter',
      'parameter-description',
      ({ parameters }) => ({ parameters: parameters.map((each) => ({ ...each, description: '' })) }),
    ],
  ])('reject an operation without %s', async (name, rule, change) => {
    const description = JSON.parse(text) as { paths: Record<string, { get: Operation }> };
    const { get } = description.paths[PATH]!;
    description.paths[PATH] = { get: { ...get, ...change(get) } };
    const file = join(folder, `${name}.json`);
    await writeFile(file, JSON.stringify(description));
    expect(await brokenRules(file)).toContain(rule);
  });
});
