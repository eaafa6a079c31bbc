import { KeyHashSet } from './key-hash-set';

describe('a set of hashed keys', () => {
  it('holds what was added, once or often, before and after it was asked', () => {
    const keys = new KeyHashSet();
    for (let at = 0; at < 20_000; at += 1) {
      keys.add(`thumbs/${at % 15_000}`);
      if (at % 997 === 0) expect(keys.has(`thumbs/${at % 15_000}`)).toBe(true);
    }
    const missing = Array.from({ length: 15_000 }, (_, at) => `thumbs/${at}`).filter((key) => !keys.has(key));
    const claimed = Array.from({ length: 15_000 }, (_, at) => `frames/${at}`).filter((key) => keys.has(key));
    expect({ missing, claimed }).toEqual({ missing: [], claimed: [] });
  });

  it('holds nothing at first', () => {
    expect(new KeyHashSet().has('thumbs/1')).toBe(false);
  });
});
