import { Readable } from 'node:stream';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { manifestKindOf, type ManifestFile, type ManifestKind } from './manifest-entry';
import { readManifest } from './manifest.reader';

function manifest(kind: ManifestKind, content: string | Uint8Array, piece = 7): ManifestFile {
  const bytes = Buffer.from(content as string);
  const pieces = function* (from: Buffer): Generator<Buffer> {
    for (let at = 0; at < from.length; at += piece) yield from.subarray(at, at + piece);
  };
  return {
    kind,
    size: bytes.length,
    open: (range) =>
      Promise.resolve(Readable.from(pieces(range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)))),
  };
}

async function entries(kind: ManifestKind, content: string | Uint8Array, piece?: number): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of readManifest(manifest(kind, content, piece))) found.push(entry);
  return found;
}

const parquet = (
  columns: Readonly<Record<string, readonly (string | number | null)[]>>,
  rowGroupSize = 2,
): Uint8Array =>
  new Uint8Array(
    parquetWriteBuffer({
      columnData: Object.entries(columns).map(([name, data]) => ({ name, data: [...data] })),
      rowGroupSize,
    }),
  );

describe('a manifest', () => {
  it('is recognised by its extension', () => {
    expect(
      ['s3://b/x.csv', '/x/LIST.TXT', 'file:///x.parquet', '/x/a.jpg', 's3://b/csv', '/x.csv/'].map(manifestKindOf),
    ).toEqual(['csv', 'txt', 'parquet', undefined, undefined, undefined]);
  });

  it.each([1, 2, 1000])('can use any line ending, in chunks of %d bytes', async (piece) => {
    const text = '\ufeffa.jpg\r\n\r\n  sub/ü 日本.jpg  \n\ns3://bucket/c,d.jpg\rlast"quoted".jpg';
    expect(await entries('txt', text, piece)).toEqual([
      'a.jpg',
      'sub/ü 日本.jpg',
      's3://bucket/c,d.jpg',
      'last"quoted".jpg',
    ]);
    expect(await entries('txt', '')).toEqual([]);
  });

  it.each<[string, string, string[]]>([
    ['a header and one column', 'filename\na.jpg\nb.jpg\n', ['a.jpg', 'b.jpg']],
    ['a known column among others', 'id,Filename ,label\r\n1,a.jpg,x\r\n2,"b, c.jpg",y\r\n', ['a.jpg', 'b, c.jpg']],
    ['the preferred of two columns', 'uri,path\nu.jpg,p.jpg', ['p.jpg']],
    ['the column s3_uri', 'label,s3_uri\nx,s3://b/a.jpg', ['s3://b/a.jpg']],
    ['the column media_uri', 'label,media_uri\nx,s3://b/a.jpg', ['s3://b/a.jpg']],
    ['no known column', 'image,label\na.jpg,x\nb.jpg,y', ['a.jpg', 'b.jpg']],
    ['no header', 'a.jpg\nb.jpg', ['a.jpg', 'b.jpg']],
    ['no header and several columns', 'a.jpg,x\nb.jpg,y', ['a.jpg', 'b.jpg']],
    ['a byte order mark', '\ufefffilename\na.jpg', ['a.jpg']],
    ['short, long and empty rows', 'label,filename\nx\n\ny,a.jpg,more\n', ['a.jpg']],
    ['quotes within', 'filename\n"a ""b"".jpg"\n"line\nbreak.jpg"', ['a "b".jpg', 'line\nbreak.jpg']],
  ])('of rows may have %s', async (_, text, expected) => {
    expect(await entries('csv', text)).toEqual(expected);
  });

  it('can be Parquet with several row groups, of which one column is used', async () => {
    const names = ['a.jpg', 'b.jpg', null, 'c.jpg', 'd.jpg'];
    expect(await entries('parquet', parquet({ id: [1, 2, 3, 4, 5], uri: names }), 1000)).toEqual([
      'a.jpg',
      'b.jpg',
      'c.jpg',
      'd.jpg',
    ]);
    expect(await entries('parquet', parquet({ image: ['a.jpg'], label: ['x'] }), 1000)).toEqual(['a.jpg']);
    expect(await entries('parquet', parquet({ count: [1, 2] }), 1000)).toEqual([]);
  });

  it.each<[string, ManifestKind, string | Uint8Array]>([
    ['a line without end', 'txt', 'x'.repeat(200_000)],
    ['a parquet with an entry without end', 'parquet', parquet({ uri: ['a.jpg', 'x'.repeat(200_000)] })],
    ['a quotation without end', 'csv', `filename\n"${'x'.repeat(200_000)}`],
    ['no parquet', 'parquet', 'not a parquet file at all'],
    ['nothing', 'parquet', ''],
    ['a parquet cut short', 'parquet', parquet({ uri: ['a.jpg'] }).slice(20)],
    [
      'a parquet whose end lies',
      'parquet',
      Buffer.concat([parquet({ uri: ['a.jpg'] }).slice(0, -8), Buffer.from([255, 255, 255, 255]), Buffer.from('PAR1')]),
    ],
  ])('that is %s is refused with the reason', async (_, kind, content) => {
    await expect(entries(kind, content, 64 * 1024)).rejects.toThrow(/^The manifest can't be read: ./);
  });

  it('can list a million files in little memory', async () => {
    const block = Buffer.from(Array.from({ length: 1000 }, (_, at) => `folder/${at}.jpg\n`).join(''));
    const blocks = function* (): Generator<Buffer> {
      for (let at = 0; at < 1000; at += 1) yield block;
    };
    const before = process.memoryUsage().rss;
    let count = 0;
    const file: ManifestFile = { kind: 'txt', size: 0, open: () => Promise.resolve(Readable.from(blocks())) };
    for await (const entry of readManifest(file)) count += entry === '' ? 0 : 1;
    expect(count).toBe(1_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  });
});
