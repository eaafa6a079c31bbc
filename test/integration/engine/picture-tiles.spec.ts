import { rm, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { EncodedImage } from '../../../src/common/engine/compute/media-analysis';
import { PictureTiles } from '../../../src/common/engine/compute/picture-tiles';
import { ComputeBench } from '../../support/compute';

const [WIDTH, HEIGHT] = [5_000, 3_000];

describe('tiles of pictures', () => {
  let bench: ComputeBench;
  let tiles: PictureTiles;

  beforeAll(async () => {
    bench = await ComputeBench.open();
    tiles = new PictureTiles(bench.config);
    // Red above, and blue in the right lower corner.
    const corner = await sharp({ create: { width: 1_000, height: 1_000, channels: 3, background: 'blue' } })
      .png()
      .toBuffer();
    const picture = sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: 'red' } });
    const whole = picture.composite([{ input: corner, left: WIDTH - 1_000, top: HEIGHT - 1_000 }]);
    await writeFile(bench.path('a.png'), await whole.png().toBuffer());
    await writeFile(bench.path('other.txt'), 'The folder is there.');
  });
  afterAll(async () => {
    await tiles.stop();
    await bench.close();
  });

  const cut = (longestSide: number, x: number, y: number, signal = new AbortController().signal) => {
    const tile = { x, y, width: 2_048, height: 2_048 };
    const { source } = bench.request('a.png');
    return tiles.cut('somebody', { source, longestSide, tile, swapRedBlueForTiffHeic: false }, signal);
  };
  const colourAt = async (jpeg: Uint8Array, left: number, top: number) => {
    const pixel = await sharp(jpeg).extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
    return pixel[0]! > pixel[2]! ? 'red' : 'blue';
  };

  it('are cut out of the picture in its size, less at its edges', async () => {
    const { pictures } = (await cut(WIDTH, 4_096, 2_048)) as EncodedImage;
    const [{ jpeg, ...size }] = pictures as [EncodedImage['pictures'][number]];
    expect(size).toEqual({ width: WIDTH - 4_096, height: HEIGHT - 2_048 });
    expect([await colourAt(jpeg, 10, 10), await colourAt(jpeg, 900, 900)]).toEqual(['blue', 'blue']);
    const { pictures: others } = (await cut(WIDTH, 2_048, 2_048)) as EncodedImage;
    expect(others[0]).toMatchObject({ width: 2_048, height: HEIGHT - 2_048 });
    expect(await colourAt(others[0]!.jpeg, 100, 900)).toBe('red');
    expect(await colourAt(others[0]!.jpeg, 2_000, 900)).toBe('blue');
  });

  it('are cut out of the picture scaled down', async () => {
    const { pictures } = (await cut(WIDTH / 4, 0, 0)) as EncodedImage;
    expect(pictures[0]).toMatchObject({ width: WIDTH / 4, height: HEIGHT / 4 });
    expect(await colourAt(pictures[0]!.jpeg, 1_200, 700)).toBe('blue');
  });

  it('are given up once nobody waits for them', async () => {
    const left = new AbortController();
    const [first, second] = [cut(WIDTH, 0, 0), cut(WIDTH, 2_048, 0, left.signal)];
    left.abort(new Error('nobody waits'));
    await expect(second).rejects.toThrow('nobody waits');
    expect(await first).toMatchObject({ kind: 'ENCODED' });
  });

  it('are none outside of the picture, or of one that is gone', async () => {
    expect(await cut(WIDTH, 6_144, 0)).toMatchObject({ kind: 'QUARANTINED', reason: 'changed' });
    await rm(bench.path('a.png'));
    expect(await cut(WIDTH, 0, 0)).toMatchObject({ kind: 'QUARANTINED', reason: 'missing' });
  });
});
