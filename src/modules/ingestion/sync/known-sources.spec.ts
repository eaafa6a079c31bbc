import { digestOf, REMOVED_FILE_BYTES } from '../../tables';
import { KnownSources } from './known-sources';

const known = (source: string, ordinal: number, more: object = {}) => ({
  source,
  ordinal,
  version: 'v1',
  size: 10,
  isOfSource: true,
  ...more,
});

describe('KnownSources', () => {
  it('finds new, possibly changed and unchanged files', () => {
    const sources = new KnownSources(4);
    sources.add(known('a', 0));
    sources.add(known('b', 1));
    sources.add(known('c', 2, { version: null }));
    sources.add(known('d', 3, { version: null }));
    expect(sources.observe({ source: 'a', version: 'v1', size: 11 })).toBe('same');
    expect(sources.observe({ source: 'b', version: 'v2', size: 10 })).toBe('changed');
    expect(sources.observe({ source: 'c', version: 'v9', size: 10 })).toBe('same');
    expect(sources.observe({ source: 'd', version: 'v9', size: 11 })).toBe('changed');
    expect(sources.observe({ source: 'e', version: 'v1', size: 10 })).toBe('new');
  });

  it('treats a file as unchanged if one of several known states matches', () => {
    const sources = new KnownSources(2);
    sources.add(known('a', 0));
    sources.add(known('a', 1, { version: 'v2' }));
    expect(sources.observe({ source: 'a', version: 'v2', size: 10 })).toBe('same');
    expect([...sources.missing()]).toEqual([]);
  });

  it('reports files of the source that were not observed as missing', () => {
    const sources = new KnownSources(4);
    sources.add(known('late', 9));
    sources.add(known('early', 4));
    sources.add(known('of elsewhere', 5, { isOfSource: false }));
    sources.add(known('there', 6));
    sources.markPresent('there');
    expect([...sources.missing()]).toEqual([4, 9]);
    expect(sources.has('there')).toBe(true);
    expect(sources.has('nowhere')).toBe(false);
  });

  it('ignores files that users removed, until they change or are added again', () => {
    const record = Buffer.alloc(3 * REMOVED_FILE_BYTES);
    [
      ['gone', 'v1', 10],
      ['unversioned', null, 10],
      ['again', 'v1', 10],
    ].forEach(([source, version, size], at) => {
      const words = [...digestOf(source as string), ...digestOf(version as string | null)];
      words.forEach((word, place) => record.writeUInt32LE(word, at * REMOVED_FILE_BYTES + 4 * place));
      record.writeDoubleLE(size as number, at * REMOVED_FILE_BYTES + 16);
    });
    const sources = new KnownSources(4);
    sources.addRemoved(record);
    sources.add(known('again', 0, { version: 'v2' }));
    expect(sources.missing()).toHaveLength(1);
    expect(sources.observe({ source: 'gone', version: 'v1', size: 10 })).toBe('removed');
    expect(sources.observe({ source: 'unversioned', version: 'v7', size: 10 })).toBe('removed');
    expect(sources.leftOut).toBe(2);
    expect(sources.observe({ source: 'gone', version: 'v2', size: 10 })).toBe('new');
    expect(sources.observe({ source: 'again', version: 'v1', size: 10 })).toBe('changed');
    expect(sources.observe({ source: 'again', version: 'v2', size: 10 })).toBe('same');
    expect(sources.missing()).toHaveLength(0);
  });

  it('handles no files and many files', () => {
    const sources = new KnownSources(20_000);
    for (let at = 0; at < 20_000; at += 1) sources.add(known(`s3://bucket/${at}`, at));
    for (let at = 0; at < 20_000; at += 2)
      expect(sources.observe({ source: `s3://bucket/${at}`, version: 'v1', size: 10 })).toBe('same');
    expect(sources.missing()).toHaveLength(10_000);
    expect(new KnownSources(0).observe({ source: 'x', version: null, size: 0 })).toBe('new');
  });
});
