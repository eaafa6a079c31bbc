import { expandHome } from './source-location';

describe('expandHome', () => {
  const expand = (path: string, ...roots: string[]): string => expandHome(path, '/home/dms', roots);

  it('resolves to the home of the service, if it is below a root', () => {
    expect(expand('~', '/home/dms')).toBe('/home/dms');
    expect(expand('~/pictures/a', '/media', '/home/dms/pictures')).toBe('/home/dms/pictures/a');
  });

  it.each(['~', '~/', '~/other', '~/pictures/../other', '~/../dms2', '~/pictures2'])('refuses %s elsewhere', (path) => {
    expect(() => expand(path, '/media', '/home/dms/pictures')).toThrow(/is outside .* MEDIA_ROOTS/);
  });

  it.each(['/media/~', '~somebody/a', 's3://bucket/~/a', ''])('does not change %s', (path) => {
    expect(expand(path)).toBe(path);
  });
});
