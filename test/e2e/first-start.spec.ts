import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ProgramHome } from '../support/program-home';
import { waitUntil } from '../support/wait-until';

describe('the first start with a sample', () => {
  let home: ProgramHome;

  beforeEach(async () => {
    home = await ProgramHome.make();
    await mkdir(join(home.folder, 'media'));
  });

  afterEach(() => home.remove());

  const withSample = (
    args: readonly string[] = ['--no-models'],
    env: Readonly<Record<string, string>> = {},
  ): Promise<void> => home.start({ MEDIA_ROOTS: join(home.folder, 'media'), ...env }, args);
  const untilPrinted = (text: string): Promise<void> =>
    waitUntil(() => home.program.hasExited || home.program.output.includes(text));

  it('creates it in the data folder, even if MEDIA_ROOTS has only other folders', async () => {
    await withSample();
    await untilPrinted('Try next: curl');
    expect(home.program.output).toContain('Indexing the sample: READY 100 %');
    expect(await home.api.must(200, 'GET', '/api/v1/datasets')).toMatchObject([{ display_name: 'Sample' }]);
  });

  it('continues without a sample that cannot be created, and logs the reason', async () => {
    await mkdir(join(home.folder, 'data'));
    await symlink(home.folder, join(home.folder, 'data', 'sample'));
    await withSample();
    await untilPrinted('The sample dataset was not created');
    expect(home.program.output).toMatch(/WARNING: The sample dataset was not created: .+ --no-sample/);
    expect(home.program.output).not.toMatch(/^ +at /m);
    expect(await home.api.must(200, 'GET', '/api/v1/datasets')).toEqual([]);
  });
  it('continues without models that cannot be fetched, and says how to install them', async () => {
    const empty = join(home.folder, 'programs');
    await mkdir(empty);
    await withSample([], { PATH: empty });
    await untilPrinted('Drawing the sample');
    expect(home.program.output).toMatch(
      /WARNING: Not all models were installed: .+ `npm run models -- install photographs` installs them/s,
    );
    expect(home.program.output).toContain('Drawing the sample');
    expect(home.program.output).not.toMatch(/^ +at /m);
  });
});
