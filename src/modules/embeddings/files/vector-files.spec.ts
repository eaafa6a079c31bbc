import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { foreignFilesOf } from '../../../../test/support/foreign-files-of';
import { hostileParquet } from '../../../../test/support/hostile-parquet';
import { npyOf, npyWith } from '../../../../test/support/npy-bytes';
import type { ForeignFiles } from '../../../common/engine/compute/readers/foreign-files';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import type { EmbeddingUpload } from '../domain/embedding-upload';
import { VectorFiles } from './vector-files';

const MEGABYTE = 1024 * 1024;

interface Read {
  readonly naming?: string;
  readonly names: string[];
  readonly vectors: number[][];
  readonly meanCosine?: number;
}

describe('files of vectors are read in a child process', () => {
  let folder: string;
  let foreignFiles: ForeignFiles;
  let files: VectorFiles;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vector-files-'));
    await mkdir(join(folder, 'store'));
    foreignFiles = foreignFilesOf(folder, { memoryBytes: 320 * MEGABYTE, seconds: 5 });
    files = new VectorFiles(foreignFiles);
  });

  afterAll(async () => {
    foreignFiles.stop();
    await rm(folder, { recursive: true });
  });

  const stored = async (key: string, bytes: Uint8Array): Promise<EmbeddingUpload['vectors']> => {
    await writeFile(join(folder, 'store', key), bytes);
    return { key, size: bytes.length };
  };

  async function read(
    format: EmbeddingUpload['format'],
    bytes: Uint8Array,
    names?: string | Uint8Array,
  ): Promise<Read> {
    const list = names === undefined ? null : await stored('names', Buffer.from(names));
    const upload: EmbeddingUpload = {
      id: 'own',
      ladder: null,
      allowMissing: false,
      format,
      vectors: await stored('vectors', bytes),
      names: list && { ...list, naming: 'file_name' },
    };
    let found: Read = { names: [], vectors: [] };
    let dimension = 0;
    for await (const piece of files.piecesOf(upload)) {
      if (piece.kind === 'head') {
        ({ dimension } = piece);
        found = { ...found, naming: piece.naming };
      } else if (piece.kind === 'block') {
        found.names.push(...piece.names);
        for (let at = 0; at < piece.vectors.length; at += dimension)
          found.vectors.push([...piece.vectors.subarray(at, at + dimension)].map((value) => Number(value.toFixed(4))));
      } else found = { ...found, meanCosine: piece.meanCosine };
    }
    return found;
  }

  const parquet = (...columnData: Parameters<typeof parquetWriteBuffer>[0]['columnData']): Uint8Array =>
    new Uint8Array(parquetWriteBuffer({ columnData }));

  const npyOfType = (descr: string, numbers: { readonly buffer: ArrayBuffer }): Buffer =>
    npyWith(`{'descr': '${descr}', 'fortran_order': False, 'shape': (2, 2), }`, [new Uint8Array(numbers.buffer)]);

  const NUMBERS = [3, 4, 0, -2];
  const UNIT = {
    names: ['a.jpg', 'b.jpg'],
    vectors: [
      [0.6, 0.8],
      [0, -1],
    ],
  };

  it.each([
    ['float16', npyOfType('<f2', Float16Array.from(NUMBERS))],
    ['float32', npyOfType('<f4', Float32Array.from(NUMBERS))],
    ['float64', npyOfType('<f8', Float64Array.from(NUMBERS))],
    ['large numbers', npyOfType('<f8', Float64Array.from([3e300, 4e300, 0, -2e-310]))],
    [
      'other ends first',
      Buffer.concat([npyOfType('>f4', new Float32Array()), Buffer.from(Float32Array.from(NUMBERS).buffer).swap32()]),
    ],
  ])('of %s, and get the length 1', async (_, bytes) => {
    expect(await read('npy', bytes, 'a.jpg\r\nb.jpg')).toEqual({
      ...UNIT,
      naming: 'file_name',
      meanCosine: expect.closeTo(-0.8, 5) as unknown,
    });
  });

  it('in several blocks, in order', async () => {
    const count = 2_500;
    const vectors = Array.from({ length: count }, (_, at) => [Math.cos(at), Math.sin(at)]);
    const found = await read('npy', npyOf(vectors), vectors.map((__, at) => `${at}.jpg\n`).join(''));
    expect(found.names).toEqual(vectors.map((__, at) => `${at}.jpg`));
    expect(found.vectors[2_222]).toEqual(vectors[2_222]!.map((value) => Number(value.toFixed(4))));
  });

  it('of Parquet, without rows that have no vector, with the ids if there are any', async () => {
    const vectors = [[3, 4], null, [], [0, -2]];
    const names = { name: 'file_name', data: ['a.jpg', 'x', 'y', 'b.jpg'] };
    expect(await read('parquet', parquet(names, { name: 'vector', data: vectors }))).toMatchObject({
      ...UNIT,
      naming: 'file_name',
    });
    const ids = { name: 'media_id', data: ['1', '2', '3', '4'] };
    expect(await read('parquet', parquet(names, ids, { name: 'embedding', data: vectors }))).toMatchObject({
      naming: 'media_id',
      names: ['1', '4'],
    });
  });

  const nameColumn = { name: 'path', data: ['a.jpg', 'b.jpg'] };
  const two = npyOf([
    [1, 0],
    [0, 1],
  ]);

  it.each<[string, () => Promise<Read>, string]>([
    ['nothing', () => read('npy', new Uint8Array(), 'a'), 'is empty'],
    ['too few names', () => read('npy', two, 'a'), 'has 2 vectors, and the list has 1 names'],
    ['too many names', () => read('npy', two, 'a\nb\nc\n'), 'has 2 vectors, and the list has more names'],
    ['names that are no text', () => read('npy', two, Uint8Array.of(0x61, 0xff, 0x0a)), 'has names that are not UTF-8'],
    ['an endless name', () => read('npy', two, 'a'.repeat(5_000)), 'has a name of more than 4096 characters'],
    [
      'NaN',
      () =>
        read(
          'npy',
          npyOf([
            [1, 0],
            [NaN, 1],
          ]),
          'a\nb',
        ),
      'has NaN or infinity in the vector of "b" (vector 2)',
    ],
    [
      'infinity',
      () => read('npy', npyOf([[-Infinity, 0]]), 'a'),
      'has NaN or infinity in the vector of "a" (vector 1)',
    ],
    [
      'zeros',
      () => read('npy', npyOf([[0, 0]]), 'a'),
      `has only zeros in the vector of "a" (vector 1), which can't be compared with others`,
    ],
    [
      'other lengths',
      () =>
        read(
          'parquet',
          parquet(nameColumn, {
            name: 'vector',
            data: [
              [1, 2],
              [1, 2, 3],
            ],
          }),
        ),
      'has 3 numbers in the vector of "b.jpg", and 2 in the first',
    ],
    [
      'no vectors',
      () => read('parquet', parquet(nameColumn)),
      'has no column embedding or vector; its columns are "path"',
    ],
    [
      'no names',
      () => read('parquet', parquet({ name: 'vector', data: [[1]] })),
      'has no column media_id, file_path or file_name; its columns are "vector"',
    ],
    [
      'texts',
      () => read('parquet', parquet(nameColumn, { name: 'vector', data: ['a', 'b'] })),
      'has no list of floating-point numbers in the column vector of row 1',
    ],
    [
      'names that are numbers',
      () => read('parquet', parquet({ name: 'path', data: [1] }, { name: 'vector', data: [[1]] })),
      'has no text in the column path of row 1',
    ],
    [
      'an endless name in a column',
      () => read('parquet', parquet({ name: 'path', data: ['a'.repeat(5_000)] }, { name: 'vector', data: [[1]] })),
      'has a name of more than 4096 characters',
    ],
    [
      'empty lists only',
      () => read('parquet', parquet({ name: 'path', data: ['a'] }, { name: 'vector', data: [[]] })),
      'holds no vector',
    ],
    ['noise', () => read('parquet', Buffer.from('PAR1 and so on PAR2')), "can't be read as Parquet: "],
  ])('with %s are refused', async (_, reading, fault) => {
    const refused: unknown = await reading().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PermanentJobError);
    expect((refused as Error).message).toContain(`The file of vectors ${fault}`);
  });

  it('that expand too much only end the child process', async () => {
    await expect(read('parquet', hostileParquet('file_name', 'vector'))).rejects.toThrow(
      /^The file of vectors needs more than 320 MB of memory to be read: write it with smaller row groups, or as .npy.$/,
    );
    expect((await read('npy', two, 'a\nb')).names).toEqual(['a', 'b']);
  });
});
