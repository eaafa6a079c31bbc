import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { EncodeRequest } from '../../../src/common/engine/compute/media-analysis';
import type { EncodedPicture } from '../../../src/common/engine/models/picture-model';
import { ComputeBench } from '../../support/compute';
import { pictureBytes } from '../../support/pictures';

describe('a picture for a model server', () => {
  let bench: ComputeBench;

  beforeAll(async () => {
    bench = await ComputeBench.open();
  });

  afterAll(() => bench.close());

  async function indexed(name: string, bytes: Buffer): Promise<EncodeRequest> {
    const { sha256 } = await bench.analyzeImage(name, bytes);
    const source = bench.source(name);
    return {
      source,
      regions: [null],
      indexedAs: { sha256, region: null },
      longestSide: 1024,
      swapRedBlueForTiffHeic: false,
    };
  }

  async function encoded(request: EncodeRequest): Promise<EncodedPicture> {
    const result = await bench.pool.encode(request);
    if (result.kind !== 'ENCODED') throw new Error(JSON.stringify(result));
    const [picture] = result.pictures;
    return picture!;
  }

  it('is the unchanged file if the server accepts it', async () => {
    const bytes = await pictureBytes(1);
    const { jpeg, width, height } = await encoded(await indexed('plain.jpg', bytes));
    expect([width, height]).toEqual([160, 120]);
    expect(await sharp(jpeg).raw().toBuffer()).toEqual(await sharp(bytes).raw().toBuffer());
  });

  it('is upright and without metadata', async () => {
    const turned = await sharp(await pictureBytes(2))
      .withExif({ IFD0: { Artist: 'somebody' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { jpeg, width, height } = await encoded(await indexed('turned.jpg', turned));
    expect([width, height]).toEqual([120, 160]);
    const { orientation, exif } = await sharp(jpeg).metadata();
    expect([orientation, exif]).toEqual([undefined, undefined]);
  });

  it('does not exceed the maximum side length', async () => {
    const request = await indexed('large.jpg', await pictureBytes(3));
    const { jpeg, width, height } = await encoded({ ...request, longestSide: 80 });
    expect([width, height]).toEqual([80, 60]);
    expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 80, height: 60 });
  });

  it('is cropped to each region after a single decode', async () => {
    const request = await indexed('regions.jpg', await pictureBytes(5));
    const regions = [null, { x: 0, y: 0, width: 0.5, height: 0.25 }, { x: 0.5, y: 0.5, width: 0.25, height: 0.5 }];
    const together = await bench.pool.encode({ ...request, regions });
    if (together.kind !== 'ENCODED') throw new Error(JSON.stringify(together));
    const sizes = together.pictures.map(({ width, height }) => [width, height]);
    expect(sizes).toEqual([
      [160, 120],
      [80, 30],
      [40, 60],
    ]);
    for (const [at, region] of regions.slice(1).entries())
      expect(await encoded({ ...request, regions: [region] })).toEqual(together.pictures[at + 1]);
  });

  it('is decoded to detect damage if the file is not indexed', async () => {
    const bytes = await pictureBytes(4);
    await writeFile(bench.path('damaged.jpg'), bytes.subarray(0, bytes.length / 2));
    const request = {
      source: bench.source('damaged.jpg'),
      regions: [null],
      longestSide: 1024,
      swapRedBlueForTiffHeic: false,
    };
    expect(await bench.pool.encode(request)).toMatchObject({ kind: 'QUARANTINED', reason: 'unreadable' });
  });
});
