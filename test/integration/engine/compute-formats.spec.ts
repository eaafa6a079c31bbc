import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { ComputeBench } from '../../support/compute';

const WIDTH = 96;
const HEIGHT = 64;
const SHAPES = `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="64"><rect width="96" height="64" fill="#2060c0"/><circle cx="30" cy="30" r="20" fill="#e04020"/><rect x="60" y="10" width="24" height="40" fill="#20c060"/></svg>`;
const fixture = (name: string): Promise<Buffer> => readFile(join(__dirname, '..', '..', 'fixtures', name));
const shapes = (): Sharp => sharp(Buffer.from(SHAPES)).flatten();
const XMP =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6"/></rdf:RDF></x:xmpmeta>';
const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/** 24 bits bottom up, or 32 bits top down. */
async function bmp(bits: 24 | 32): Promise<Buffer> {
  const pixels = await shapes().raw().toBuffer();
  const bytes = bits / 8;
  const head = Buffer.alloc(54);
  head.write('BM', 0, 'latin1');
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(WIDTH, 18);
  head.writeInt32LE(bits === 24 ? HEIGHT : -HEIGHT, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(bits, 28);
  const body = Buffer.alloc(WIDTH * HEIGHT * bytes);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const from = (y * WIDTH + x) * 3;
      const to = ((bits === 24 ? HEIGHT - 1 - y : y) * WIDTH + x) * bytes;
      for (let c = 0; c < 3; c++) body[to + c] = pixels[from + 2 - c]!;
    }
  }
  return Buffer.concat([head, body]);
}

async function animated(format: 'gif' | 'webp'): Promise<Buffer> {
  const second = sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#ff0000' } });
  const frames = [await shapes().png().toBuffer(), await second.png().toBuffer()];
  const joined = sharp(frames, { join: { animated: true } });
  return format === 'gif' ? joined.gif({ colours: 256 }).toBuffer() : joined.webp({ quality: 95 }).toBuffer();
}

const FORMATS: readonly (readonly [name: string, mimeType: string, bytes: () => Promise<Buffer>])[] = [
  ['a.png', 'image/png', () => shapes().png().toBuffer()],
  ['a.jpg', 'image/jpeg', () => shapes().jpeg().toBuffer()],
  ['a.jfif', 'image/jpeg', () => shapes().jpeg({ progressive: true }).toBuffer()],
  ['a.gif', 'image/gif', () => animated('gif')],
  ['a.webp', 'image/webp', () => animated('webp')],
  ['a.tiff', 'image/tiff', () => shapes().tiff({ compression: 'lzw' }).toBuffer()],
  ['24.bmp', 'image/bmp', () => bmp(24)],
  ['32.bmp', 'image/bmp', () => bmp(32)],
  ['a.heic', 'image/heic', () => fixture('shapes.heic')],
  ['a.jp2', 'image/jp2', () => fixture('shapes.jp2')],
  ['rgba.jp2', 'image/jp2', () => fixture('shapes-rgba.jp2')],
  ['cmyk.jpg', 'image/jpeg', () => shapes().toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()],
  ['16-bit.png', 'image/png', () => shapes().toColourspace('rgb16').png().toBuffer()],
  ['16-bit.tif', 'image/tiff', () => shapes().toColourspace('rgb16').tiff().toBuffer()],
];

describe('analysis of each format', () => {
  let bench: ComputeBench;
  let reference: Float32Array;

  beforeAll(async () => {
    bench = await ComputeBench.open();
    reference = (await bench.analyzeImage('reference.png', await shapes().png().toBuffer())).embedding;
  });
  afterAll(() => bench.close());

  it.each(FORMATS)('analyses %s', async (name, mimeType, bytes) => {
    const file = await bytes();
    const result = await bench.analyzeImage(name, file);
    expect(result).toMatchObject({
      mimeType,
      width: WIDTH,
      height: HEIGHT,
      sizeBytes: file.length,
      sha256: createHash('sha256').update(file).digest('hex'),
    });
    expect(result.perceptualHash).toMatch(/^[0-9a-f]{16}$/);
    // The conversion to CMYK and back loses some colours.
    expect(cosine(result.embedding, reference)).toBeGreaterThan(name === 'cmyk.jpg' ? 0.92 : 0.97);
    expect(cosine(result.embedding, result.embedding)).toBeCloseTo(1, 5);
    const thumbnail = await sharp(await bench.stored(result.thumbnailKey)).metadata();
    expect(thumbnail).toMatchObject({ format: 'webp', width: WIDTH, height: HEIGHT });
  });

  it('detects the format by content, not by name', async () => {
    const result = await bench.analyzeImage('really-a-png.jpg', await shapes().png().toBuffer());
    expect(result.mimeType).toBe('image/png');
  });

  it('rotates a picture upright', async () => {
    const onItsSide = await shapes().rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const result = await bench.analyzeImage('turned.jpg', onItsSide);
    expect(result).toMatchObject({ width: WIDTH, height: HEIGHT });
    expect(cosine(result.embedding, reference)).toBeGreaterThan(0.97);
  });

  it.each([
    [
      'EXIF followed by XMP',
      'turned-twice-told.jpg',
      (image: Sharp) => image.withMetadata({ orientation: 6 }).withXmp(XMP),
    ],
    ['XMP alone, of a JPEG', 'turned-by-xmp.jpg', (image: Sharp) => image.withXmp(XMP)],
    ['XMP alone, of a PNG', 'turned-by-xmp.png', (image: Sharp) => image.png().withXmp(XMP)],
    ['XMP alone, of a WebP', 'turned-by-xmp.webp', (image: Sharp) => image.webp({ quality: 95 }).withXmp(XMP)],
  ])('turns a picture upright by %s', async (_, name, described) => {
    const onItsSide = await described(shapes().rotate(270).jpeg()).toBuffer();
    const result = await bench.analyzeImage(name, onItsSide);
    expect(result).toMatchObject({ width: WIDTH, height: HEIGHT });
    expect(cosine(result.embedding, reference)).toBeGreaterThan(0.97);
  });

  it('shows transparent pixels as white, and grey pictures as grey', async () => {
    const clear = sharp({ create: { width: 40, height: 40, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0 } } });
    const clearly = await bench.analyzeImage('clear.png', await clear.png().toBuffer());
    expect(clearly.meanIntensity).toBeCloseTo(255, 0);
    const grey = await bench.analyzeImage('grey.png', await shapes().greyscale().toColourspace('b-w').png().toBuffer());
    expect(grey.meanIntensity).toBeGreaterThan(60);
  });

  it.each(['display-p3.heic', 'display-p3-coded.heic'])('converts the colours of %s to sRGB', async (name) => {
    const { thumbnailKey } = await bench.analyzeImage(name, await fixture(name));
    const { channels } = await sharp(await bench.stored(thumbnailKey)).stats();
    // The values of 200, 100, 50 in Display P3, computed with another ICC implementation.
    for (const [i, expected] of [215, 93, 31].entries()) expect(Math.abs(channels[i]!.mean - expected)).toBeLessThan(4);
  });

  it('reads JPEG 2000 with two components as grey', async () => {
    const { thumbnailKey } = await bench.analyzeImage('grey.jp2', await fixture('shapes-grey-alpha.jp2'));
    const grey = await sharp(await bench.stored(thumbnailKey))
      .raw()
      .toBuffer();
    const colours = await shapes().raw().toBuffer();
    const differences = grey.map((value, i) => {
      const [red, green, blue] = colours.subarray(i - (i % 3));
      return Math.abs(value - (0.299 * red! + 0.587 * green! + 0.114 * blue!));
    });
    expect(differences.reduce((sum, value) => sum + value, 0) / grey.length).toBeLessThan(6);
  });

  it('swaps red and blue of TIFF and HEIC only, if configured', async () => {
    const red = sharp({ create: { width: 40, height: 40, channels: 3, background: '#ff0000' } });
    const swapRedBlueForTiffHeic = true;
    const tiff = await bench.analyzeImage('red.tif', await red.tiff().toBuffer(), { swapRedBlueForTiffHeic });
    const png = await bench.analyzeImage('red.png', await red.png().toBuffer(), { swapRedBlueForTiffHeic });
    expect(tiff.meanIntensity).toBeCloseTo(29, 0);
    expect(png.meanIntensity).toBeCloseTo(76, 0);
  });

  it('makes thumbnails of limited size, and measures blur', async () => {
    const noise = sharp({
      create: {
        width: 900,
        height: 600,
        channels: 3,
        background: '#000000',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    });
    const bytes = await noise.jpeg().toBuffer();
    const sharpOne = await bench.analyzeImage('large.jpg', bytes);
    const blurred = await bench.analyzeImage('blurred.jpg', await sharp(bytes).blur(8).jpeg().toBuffer());
    expect(sharpOne).toMatchObject({ width: 900, height: 600 });
    expect(await sharp(await bench.stored(sharpOne.thumbnailKey)).metadata()).toMatchObject({
      width: 384,
      height: 256,
    });
    expect(sharpOne.sharpness).toBeGreaterThan(50);
    expect(blurred.sharpness).toBeLessThan(50);
  });

  it('reads a file larger than one read', async () => {
    const large = sharp({ create: { width: 4900, height: 4900, channels: 3, background: '#204060' } });
    const file = await large.png({ compressionLevel: 0 }).toBuffer();
    const result = await bench.analyzeImage('very-large.png', file);
    expect(result).toMatchObject({ width: 4900, sha256: createHash('sha256').update(file).digest('hex') });
  });

  it('analyses each box of a picture from a single decode, clipped to the picture', async () => {
    const boxes = [
      { x: 10, y: 10, width: 40, height: 40 },
      { x: 60, y: 10, width: 100, height: 40 },
      { x: 200, y: 0, width: 10, height: 10 },
    ];
    const { objects, sha256 } = await bench.analyzeImage('boxes.png', await shapes().png().toBuffer(), { boxes });
    expect(objects.map(({ index, width, height }) => ({ index, width, height }))).toEqual([
      { index: 0, width: 40, height: 40 },
      { index: 1, width: 36, height: 40 },
    ]);
    expect(objects[1]!.box).toEqual({ x: 60 / 96, y: 10 / 64, width: 36 / 96, height: 40 / 64 });
    for (const object of objects) {
      expect(object.thumbnailKey).toMatch(
        new RegExp(`^thumbs/${sha256.slice(0, 2)}/${sha256}-[0-9a-f]{16}\\.\\d\\.webp$`),
      );
      const { width, height } = await sharp(await bench.stored(object.thumbnailKey)).metadata();
      expect({ width, height }).toEqual({ width: object.width, height: object.height });
    }
    expect(cosine(objects[0]!.embedding, objects[1]!.embedding)).toBeLessThan(0.9);
    const { source, modelId, swapRedBlueForTiffHeic } = bench.request('boxes.png');
    const request = { source, modelId, swapRedBlueForTiffHeic, boxes };
    expect(await bench.pool.cut(request)).toEqual({ kind: 'CUT', objects });
  });
});
