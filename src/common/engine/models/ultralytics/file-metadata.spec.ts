import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORMAT_FIXTURES } from '../../../../../test/support/format-fixtures';
import { readFileMetadata } from './file-metadata';

describe('the metadata of an ONNX file', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'metadata-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function readFrom(bytes: Buffer): Promise<Record<string, string>> {
    const path = join(folder, 'model.onnx');
    await writeFile(path, bytes);
    return Object.fromEntries(await readFileMetadata(path));
  }

  it("are those of Ultralytics' exporter, and empty for others", async () => {
    const metadata = await readFileMetadata(join(FORMAT_FIXTURES, 'ultralytics', 'model.onnx'));
    expect(Object.fromEntries(metadata)).toMatchObject({ task: 'detect', imgsz: '[64, 96]', end2end: 'False' });
    expect(metadata.get('names')).toBe(`{0: 'red square', 1: "driver's cab", 2: 'blue "stripe" \\\\ été'}`);
    expect((await readFileMetadata(join(FORMAT_FIXTURES, 'yolos', 'model.onnx'))).has('names')).toBe(false);
  });

  it('are found between other fields', async () => {
    const entry = Buffer.from([0x72, 6, 0x0a, 1, 0x61, 0x12, 1, 0x62]);
    const others = Buffer.from([0x08, 0x80, 0x01, 0x09, 1, 2, 3, 4, 5, 6, 7, 8, 0x15, 1, 2, 3, 4, 0x3a, 2, 9, 9]);
    expect(await readFrom(Buffer.concat([others, entry, others]))).toEqual({ a: 'b' });
  });

  it.each([
    ['a length beyond the file', [0x72, 100, 0x0a]],
    ['a length without an end', [0x72, ...new Array<number>(20).fill(0xff)]],
    ['an entry with a length beyond it', [0x72, 2, 0x0a, 9]],
    ['an unknown kind', [0x0b]],
    ['half a field', [0x72]],
    ['too many fields', new Array<number>(30_000).fill(0x08)],
  ])('are refused with %s', async (_, bytes) => {
    await expect(readFrom(Buffer.from(bytes))).rejects.toThrow(/^The metadata in .*model\.onnx can't be read\.$/);
  });

  it('are rejected if an entry is too large', async () => {
    const length = 2 * 1024 * 1024;
    const header = [
      0x72,
      (length & 0x7f) | 0x80,
      ((length >> 7) & 0x7f) | 0x80,
      ((length >> 14) & 0x7f) | 0x80,
      length >> 21,
    ];
    const bytes = Buffer.concat([Buffer.from(header), Buffer.alloc(length)]);
    await expect(readFrom(bytes)).rejects.toThrow(/can't be read/);
  });
});
