import { join } from 'node:path';
import { writePicture } from '../support/pictures';
import { ProgramHome } from '../support/program-home';
import { filesForm } from '../support/api-client';
import { allOr, SOURCE_FAILPOINTS, SOURCE_FILE_FAILPOINTS } from './failpoints';

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

  it.each(allOr(['annotations-written', 'after-flip'], SOURCE_FILE_FAILPOINTS))(
    'at %s, brings in all annotations of a file once',
    async (point) => {
      const coco = {
        images: [0, 1, 2].map((seed) => ({ id: seed, file_name: `${seed}.jpg` })),
        categories: [{ id: 1, name: 'from a file' }],
        annotations: [0, 1, 2].map((seed) => ({ image_id: seed, category_id: 1, bbox: [1, 1, 5, 5] })),
      };
      const form = filesForm([{ name: 'coco.json', bytes: Buffer.from(JSON.stringify(coco)) }]);
      const sent = new FormData();
      sent.set('source', `killed at ${point}`);
      for (const [name, value] of form) sent.append(name, value);
      await home.dieAt(point, (api) => api.must(202, 'POST', `${path()}/files`, sent));
      await home.api.untilStatus(id, ['READY']);
      const query = `${path()}?source=${encodeURIComponent(`killed at ${point}`)}`;
      expect(await home.api.must(200, 'GET', query)).toMatchObject({ total: 3 });
    },
  );
});
