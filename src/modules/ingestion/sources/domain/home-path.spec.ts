import { expandHome } from './source-location';

describe('a path from home', () => {
  const expand = (path: string, ...roots: string[]): string => expandHome(path, '/home/dms', roots);

  it('is below the home of the service, where that may be read', () => {
    expect(expand('~', '/home/dms')).toBe('/home/dms');
    expect(expand('~/pictures/a', '/media', '/home/dms/pictures')).toBe('/home/dms/pictures/a');
  });

  it.each(['~', '~/', '~/other', '~/pictures/../other', '~/../dms2', '~/pictures2'])('refuses %s elsewhere', (path) => {
    expect(() => expand(path, '/media', '/home/dms/pictures')).toThrow(/is outside .* MEDIA_ROOTS/);
  });

  it.each(['/media/~', '~somebody/a', 's3://bucket/~/a', ''])('leaves %s as it is', (path) => {
    expect(expand(path)).toBe(path);
  });
});
