import { parseSourceLocation } from './source-location';

describe('parseSourceLocation', () => {
  it.each([
    ['s3://my-bucket/images/', { type: 'BUCKET', uri: 's3://my-bucket/images/' }],
    ['s3://my-bucket', { type: 'BUCKET', uri: 's3://my-bucket' }],
    ['/srv/photos', { type: 'LOCAL_FOLDER', uri: 'file:///srv/photos' }],
    ['/srv/my photos #1', { type: 'LOCAL_FOLDER', uri: 'file:///srv/my%20photos%20%231' }],
    ['file:///srv/photos', { type: 'LOCAL_FOLDER', uri: 'file:///srv/photos' }],
  ])('%s', (text, expected) => {
    expect(parseSourceLocation(text)).toEqual(expected);
  });

  it.each(['photos', '../photos', 's3://', 's3://UPPER/x', 'http://example.com/x', 'gs://bucket/x', ''])(
    'refuses %p',
    (text) => {
      expect(() => parseSourceLocation(text)).toThrow('bucket_path must be');
    },
  );
});
