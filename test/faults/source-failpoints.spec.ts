import { join } from 'node:path';
import { writePicture } from '../support/pictures';
import { ProgramHome } from '../support/program-home';
import { SOURCE_FAILPOINTS } from './failpoints';

describe('the program, killed at a failpoint while the annotations of a source are changed', () => {
  let home: ProgramHome;
  let id: string;

  beforeAll(async () => {
    home = await ProgramHome.make();
    await home.start();
    const folder = join(home.folder, 'source');
    for (let seed = 0; seed < 3; seed += 1) await writePicture(join(folder, `${seed}.jpg`), seed);
    id = await home.api.createFromFolder('Sources', folder);
    await home.api.untilStatus(id, ['READY']);
  });

  afterAll(() => home.remove());

  const path = (): string => `/api/v1/dataset/${id}/annotations`;
  const said = (label: string): object => ({
    source: 'detector',
    mode: 'replace',
    annotations: [0, 1, 2].map((seed) => ({ file_name: `${seed}.jpg`, label })),
  });
  const labels = async (): Promise<string[]> => {
    const { annotations } = await home.api.must<{ annotations: { label: string }[] }>(200, 'GET', path());
    return annotations.map(({ label }) => label);
  };

  const EXPECTED = { 'annotations-written': 'before', 'annotations-published': 'after' } as const;
  it.each(SOURCE_FAILPOINTS)('at %s, has all annotations of one time, and can be changed again', async (point) => {
    const expected = EXPECTED[point];
    await home.api.must(200, 'POST', path(), said('before'));
    await home.dieAt(point, (api) => api.must(200, 'POST', path(), said('after')));
    expect(await labels()).toEqual([expected, expected, expected]);
    await home.api.must(200, 'POST', path(), said('again'));
    expect(await labels()).toEqual(['again', 'again', 'again']);
  });
});
