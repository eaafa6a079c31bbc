import { parseSource } from '../../../../common/platform/storage/sources/source-location';
import { manifestFolderOf, resolveEntry, type ManifestEntry, SeenKeys } from './manifest-entry';

const local = manifestFolderOf(parseSource('/data/lists/list.txt'));
const bucket = manifestFolderOf(parseSource('s3://media/lists/list.csv'));
const byRole = manifestFolderOf(parseSource('s3://arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr@media/lists/list.csv'));

const at = (source: string, path: string): ManifestEntry => ({ source, path });

describe('a manifest entry', () => {
  it.each<[string, ManifestEntry]>([
    ['a.jpg', at('file:///data/lists/a.jpg', 'a.jpg')],
    ['./sub/50%.jpg', at('file:///data/lists/sub/50%25.jpg', 'sub/50%.jpg')],
    ['/data/lists/sub/a.jpg', at('file:///data/lists/sub/a.jpg', 'sub/a.jpg')],
    ['/data/other/a.jpg', at('file:///data/other/a.jpg', 'data/other/a.jpg')],
    ['file:///data/lists/b%20c.jpg', at('file:///data/lists/b%20c.jpg', 'b c.jpg')],
    ['s3://media/x/a.jpg', at('s3://media/x/a.jpg', 'media/x/a.jpg')],
  ])('%s of a local list resolves to a file', (entry, expected) => {
    expect(resolveEntry(entry, local)).toEqual(expected);
  });

  it.each<[string, ManifestEntry]>([
    ['a.jpg', at('s3://media/lists/a.jpg', 'a.jpg')],
    ['s3://media/lists/sub/a.jpg', at('s3://media/lists/sub/a.jpg', 'sub/a.jpg')],
    ['s3://media/a.jpg', at('s3://media/a.jpg', 'media/a.jpg')],
    ['s3://other/lists/a.jpg', at('s3://other/lists/a.jpg', 'other/lists/a.jpg')],
  ])('%s of a list in a bucket resolves to an object', (entry, expected) => {
    expect(resolveEntry(entry, bucket)).toEqual(expected);
  });

  it('is read with the role of the manifest', () => {
    const role = 's3://arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr@';
    expect(resolveEntry('a.jpg', byRole)).toEqual(at(`${role}media/lists/a.jpg`, 'a.jpg'));
    expect(resolveEntry('s3://other/a.jpg', byRole)).toEqual(at(`${role}other/a.jpg`, 'other/a.jpg'));
  });

  it.each([
    '../a.jpg',
    'sub/../../a.jpg',
    '/data/lists/../../etc/a.jpg',
    's3://media/lists/../a.jpg',
    's3://media',
    's3://media/',
    's3://role@media/a.jpg',
    's3:///a.jpg',
    'file://host/a.jpg',
    'file:///%2e%2e/a.jpg%00',
    'https://example.com/a.jpg',
    'gs://bucket/a.jpg',
    'C:\\a.jpg',
    'C:/a.jpg',
    'sub\\a.jpg',
    'a\0.jpg',
    `${'x'.repeat(300)}.jpg`,
    '//etc/a.jpg',
  ])('%j is refused', (entry) => {
    for (const folder of [local, bucket])
      expect(resolveEntry(entry, folder)).toEqual({ fault: expect.any(String) as string });
  });
});

it('SeenKeys finds keys that were added before', () => {
  const seen = new SeenKeys();
  const keys = Array.from({ length: 20_000 }, (_, key) => String(key));
  expect(keys.every((key) => seen.addIfNew(key))).toBe(true);
  expect(keys.some((key) => seen.addIfNew(key))).toBe(false);
});
