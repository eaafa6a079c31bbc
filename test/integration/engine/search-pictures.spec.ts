import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { EmbedResult } from '../../../src/common/engine/compute/media-analysis';
import { SearchPictures } from '../../../src/common/engine/compute/search-pictures';
import { TooManyRequestsError } from '../../../src/common/platform/errors/domain-error';
import { ComputeBench } from '../../support/compute';
import { pictureBytes } from '../../support/pictures';

describe('query pictures', () => {
  let bench: ComputeBench;
  let pictures: SearchPictures;

  beforeAll(async () => {
    bench = await ComputeBench.open();
    pictures = new SearchPictures(bench.config);
    await writeFile(bench.path('a.jpg'), await pictureBytes(1));
    const wide = sharp({ create: { width: 8000, height: 7000, channels: 3, background: 'red' } });
    await writeFile(bench.path('wide.png'), await wide.png().toBuffer());
  });
  afterAll(async () => {
    await pictures.stop();
    await bench.close();
  });

  const embed = (userId: string, name: string): Promise<EmbedResult> => {
    const { source, modelId } = bench.request(name);
    return pictures.embed(userId, { source, modelId, region: null, swapRedBlueForTiffHeic: false });
  };

  it('are limited per user, regardless of other users', async () => {
    const asked = ['noisy', 'noisy', 'noisy', 'noisy'].map((user) => embed(user, 'a.jpg'));
    await expect(embed('noisy', 'a.jpg')).rejects.toThrow(TooManyRequestsError);
    for (const result of await Promise.all([...asked, embed('other', 'a.jpg')]))
      expect(result).toMatchObject({ kind: 'EMBEDDED' });
    expect(await embed('noisy', 'a.jpg')).toMatchObject({ kind: 'EMBEDDED' });
  });

  it('are read in separate children, with a lower limit of pixels than dataset images', async () => {
    expect(await embed('a', 'wide.png')).toEqual({
      kind: 'QUARANTINED',
      reason: 'too_large',
      detail: 'The image is 8000 x 7000, more than 50 megapixels.',
    });
    expect(await bench.pool.analyze(bench.request('wide.png'))).toMatchObject({ kind: 'IMAGE' });
    expect(pictures.childPids.filter((pid) => bench.pool.childPids.includes(pid))).toEqual([]);
  });
});
