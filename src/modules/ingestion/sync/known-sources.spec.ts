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
  it('tells what is new, what may have changed and what is as it was', () => {
    const sources = new KnownSources(4);
    sources.add(known('a', 0));
    sources.add(known('b', 1));
    sources.add(known('c', 2, { version: null }));
    sources.add(known('d', 3, { version: null }));
    expect(sources.meet({ source: 'a', version: 'v1', size: 11 })).toBe('same');
    expect(sources.meet({ source: 'b', version: 'v2', size: 10 })).toBe('changed');
    expect(sources.meet({ source: 'c', version: 'v9', size: 10 })).toBe('same');
    expect(sources.meet({ source: 'd', version: 'v9', size: 11 })).toBe('changed');
    expect(sources.meet({ source: 'e', version: 'v1', size: 10 })).toBe('new');
  });

  it('knows the same when one of several states of a file is', () => {
    const sources = new KnownSources(2);
    sources.add(known('a', 0));
    sources.add(known('a', 1, { version: 'v2' }));
    expect(sources.meet({ source: 'a', version: 'v2', size: 10 })).toBe('same');
    expect([...sources.missed()]).toEqual([]);
  });

  it('misses what it did not meet, if that is of the source', () => {
    const sources = new KnownSources(4);
    sources.add(known('late', 9));
    sources.add(known('early', 4));
    sources.add(known('of elsewhere', 5, { isOfSource: false }));
    sources.add(known('there', 6));
    sources.settle('there');
    expect([...sources.missed()]).toEqual([4, 9]);
    expect(sources.has('there')).toBe(true);
    expect(sources.has('nowhere')).toBe(false);
  });

  it('holds many, and none', () => {
    const sources = new KnownSources(20_000);
    for (let at = 0; at < 20_000; at += 1) sources.add(known(`s3://bucket/${at}`, at));
    for (let at = 0; at < 20_000; at += 2)
      expect(sources.meet({ source: `s3://bucket/${at}`, version: 'v1', size: 10 })).toBe('same');
    expect(sources.missed()).toHaveLength(10_000);
    expect(new KnownSources(0).meet({ source: 'x', version: null, size: 0 })).toBe('new');
  });
});
