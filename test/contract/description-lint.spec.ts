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

/** The report of the linter for files; empty if there are no findings. */
const reportOn = (...files: readonly string[]): Promise<string> =>
  run(process.execPath, [join(ROOT, 'scripts', 'lint-description.mjs'), ...files]).then(
    () => '',
    (error: unknown) => (error as { stderr: string }).stderr,
  );

const BROKEN: readonly (readonly [string, string, (operation: Operation) => object])[] = [
  ['success', 'rule/operation-success-response', () => ({ responses: { 404: { description: 'No.' } } })],
  ['error', 'operation-4xx-response', () => ({ responses: { 200: { description: 'Yes.' } } })],
  ['summary', 'operation-summary', () => ({ summary: '' })],
  ['definition of its credentials', 'security-defined', () => ({ security: [{ nothing: [] }] })],
  [
    'description of a parameter',
    'parameter-description',
    ({ parameters }) => ({ parameters: parameters.map((each) => ({ ...each, description: '' })) }),
  ],
];

describe('the rules for the API description', () => {
  let folder: string;
  let report: string;

  const fileOf = (name: string): string => join(folder, `${name}.json`);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-lint-'));
    const text = await readFile(join(ROOT, 'openapi.json'), 'utf8');
    for (const [name, , change] of BROKEN) {
      const description = JSON.parse(text) as { paths: Record<string, { get: Operation }> };
      const { get } = description.paths[PATH]!;
      description.paths[PATH] = { get: { ...get, ...change(get) } };
      await writeFile(fileOf(name), JSON.stringify(description));
    }
    report = await reportOn(...BROKEN.map(([name]) => fileOf(name)));
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('accept openapi.json', async () => expect(await reportOn()).toBe(''));

  it.each(BROKEN)('reject an operation without %s', (name, rule) => {
    expect(report).toContain(`${fileOf(name)}: ${rule} `);
  });
});
