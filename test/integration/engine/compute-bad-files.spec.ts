import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { QuarantineReason } from '../../../src/common/engine/compute/media-analysis';
import { ComputeBench } from '../../support/compute';
import { pictureBytes } from '../../support/pictures';

const photo = (width = 200, height = 150) =>
  sharp({
    create: { width, height, channels: 3, background: '#000000', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  });

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** A small file with a header that declares very many pixels. */
function pngBomb(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 8;
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const data = deflateSync(Buffer.alloc(1 << 20));
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function bmpOf(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(120);
  bytes.write('BM', 0, 'latin1');
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(24, 28);
  return bytes;
}

const fixture = (name: string): Promise<Buffer> => readFile(join(__dirname, '..', '..', 'fixtures', name));

function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  randomBytes(copy.length >> 1).copy(copy, copy.length >> 2);
  return copy;
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><rect width="50" height="50"/></svg>';

const BAD: readonly (readonly [name: string, reason: QuarantineReason, bytes: () => Buffer | Promise<Buffer>])[] = [
  ['empty.jpg', 'unreadable', () => Buffer.alloc(0)],
  ['three-bytes.jpg', 'unreadable', () => Buffer.from([0xff, 0xd8, 0xff])],
  ['truncated.jpg', 'unreadable', async () => (await photo().jpeg().toBuffer()).subarray(0, 4000)],
  ['truncated.png', 'unreadable', async () => (await photo().png().toBuffer()).subarray(0, 30_000)],
  ['truncated.webp', 'unreadable', async () => (await photo().webp().toBuffer()).subarray(0, 2000)],
  ['truncated.bmp', 'unreadable', () => bmpOf(60, 60)],
  ['damaged.png', 'unreadable', async () => damaged(await photo().png().toBuffer())],
  ['random.tif', 'unreadable', () => Buffer.concat([Buffer.from('II*\0'), randomBytes(3000)])],
  [
    'random.heic',
    'unreadable',
    () => Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), randomBytes(900)]),
  ],
  [
    'random.jp2',
    'unreadable',
    () => Buffer.concat([Buffer.from('\0\0\0\x0cjP  \r\n\x87\n', 'latin1'), randomBytes(900)]),
  ],
  ['truncated.jp2', 'unreadable', async () => (await fixture('shapes.jp2')).subarray(0, 900)],
  ['cut-header.jp2', 'unreadable', async () => (await fixture('shapes.jp2')).subarray(0, 130)],
  ['noise.jpg', 'unsupported', () => Buffer.concat([Buffer.from('noise'), randomBytes(2000)])],
  ['page.jpg', 'unsupported', () => Buffer.from('<!doctype html><html><body>not found</body></html>')],
  ['drawing.svg', 'unsupported', () => Buffer.from(SVG)],
  ['drawing.png', 'unsupported', () => Buffer.from(SVG)],
  ['paper.jpg', 'unsupported', () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n')],
  ['dot.png', 'too_small', () => photo(1, 1).png().toBuffer()],
  ['line.jpg', 'too_small', () => photo(400, 9).jpeg().toBuffer()],
  ['bomb.png', 'too_large', () => pngBomb(20_000)],
  ['bomb.bmp', 'too_large', () => bmpOf(60_000, 60_000)],
];

describe('files that cannot be analysed', () => {
  let bench: ComputeBench;

  beforeAll(async () => {
    bench = await ComputeBench.open();
  });
  afterAll(() => bench.close());

  it.each(BAD)('quarantines %s as %s', async (name, reason, bytes) => {
    const result = await bench.analyze(name, await bytes());
    expect(result).toMatchObject({ kind: 'QUARANTINED', reason });
    expect(result).toHaveProperty('detail', expect.stringMatching(/^[A-Z][^\n]+$/));
  });

  it('names the format of a known but unsupported file', async () => {
    const box = (brands: string): Buffer =>
      Buffer.concat([Buffer.from(`\0\0\0\x1cftyp${brands}`, 'latin1'), Buffer.alloc(400)]);
    for (const [bytes, name] of [
      [box('avif\0\0\0\0mif1miaf'), 'an AVIF image'],
      [box('mif1\0\0\0\0avifmiaf'), 'an AVIF image'],
      [box('crx \0\0\0\x01crx isom'), 'a raw image of a Canon camera'],
    ] as const)
      expect(await bench.analyze('known.avif', bytes)).toEqual({
        kind: 'QUARANTINED',
        reason: 'unsupported',
        detail: `The file is ${name}, which is not supported. Save it as JPEG, PNG or WebP.`,
      });
  });

  it('quarantines missing files, and files outside the media folders', async () => {
    expect(await bench.pool.analyze(bench.request('gone.jpg'))).toMatchObject({ reason: 'missing' });
    const outside = { ...bench.request('passwd'), source: 'file:///etc/passwd' };
    expect(await bench.pool.analyze(outside)).toMatchObject({ kind: 'QUARANTINED', reason: 'unreadable' });
  });

  it('quarantines a file that changed after indexing, but not one rewritten with the same content', async () => {
    const box = { x: 8, y: 8, width: 32, height: 24 };
    const first = await pictureBytes(1);
    const { sha256, objects } = await bench.analyzeImage('rewritten.jpg', first, { boxes: [box] });
    const [object] = objects;
    const { source, modelId, swapRedBlueForTiffHeic } = bench.request('rewritten.jpg');
    const indexed = [
      { sha256, region: null },
      { sha256: object!.sha256, region: object!.box },
    ];
    const again = async (): Promise<object[]> => {
      const results: object[] = [];
      for (const indexedAs of indexed) {
        const request = { source, modelId, swapRedBlueForTiffHeic, indexedAs, region: indexedAs.region };
        results.push(await bench.pool.embed(request));
        results.push(await bench.pool.encode({ ...request, regions: [null], longestSide: 100 }));
        results.push(await bench.pool.cut({ ...request, boxes: [box] }));
      }
      return results;
    };
    await writeFile(bench.path('rewritten.jpg'), first);
    const same = await again();
    expect(same[0]).toMatchObject({ kind: 'EMBEDDED' });
    expect(same[5]).toEqual({ kind: 'CUT', objects });
    const detail = 'The file has changed since it was indexed. Synchronise the dataset to read it again.';
    const changed = { kind: 'QUARANTINED', reason: 'changed', detail };
    for (const other of [await pictureBytes(2), await readFile('test/fixtures/clip.mp4')]) {
      await writeFile(bench.path('rewritten.jpg'), other);
      expect(await again()).toEqual(Array(6).fill(changed));
    }
  });

  it('uses a single child for all of them', () => {
    expect(bench.pool.childPids).toHaveLength(1);
  });
});
