import { parseSource, s3Source, SourceNotFoundError, withoutRole, withRole } from './source-location';

const ROLE = 'arn:aws:iam::123456789012:role/team/reader@home';

describe('a location in a bucket', () => {
  it('contains the role that reads it', () => {
    const uri = withRole('s3://bucket/folder/a@b.jpg', ROLE);
    expect(parseSource(uri)).toEqual({ kind: 's3', bucket: 'bucket', key: 'folder/a@b.jpg', role: ROLE });
    expect(withoutRole(uri)).toBe('s3://bucket/folder/a@b.jpg');
    expect(withRole(uri, 'another')).toBe('s3://another@bucket/folder/a@b.jpg');
    expect(s3Source({ bucket: 'bucket', key: 'folder/a@b.jpg', role: ROLE })).toBe(uri);
  });

  it('is unchanged without a role', () => {
    const uri = 's3://bucket/a@b/c.jpg';
    expect(withRole(uri, null)).toBe(uri);
    expect(withoutRole(uri)).toBe(uri);
    expect(parseSource(uri)).toEqual({ kind: 's3', bucket: 'bucket', key: 'a@b/c.jpg' });
    expect(withRole('file:///a@b/c.jpg', ROLE)).toBe('file:///a@b/c.jpg');
  });

  it('must name a readable role', () => {
    expect(() => parseSource('s3://%@bucket/a.jpg')).toThrow(SourceNotFoundError);
    expect(() => parseSource('s3://a@b@bucket/a.jpg')).toThrow(SourceNotFoundError);
  });
});

it.each([
  ['file:///photos/a-1.2/b_c.jpg', '/photos/a-1.2/b_c.jpg'],
  ['file:///photos/../a.jpg', '/a.jpg'],
  ['file:///photos/.hidden/a%20b.jpg', '/photos/.hidden/a b.jpg'],
  ['file:///photos//a.jpg?b#c', '/photos//a.jpg'],
])('reads the path of %s', (url, path) => {
  expect(parseSource(url)).toEqual({ kind: 'file', path });
});
