import { KeyHashSet } from './key-hash-set';

describe('KeyHashSet', () => {
  it('contains added keys, before and after a lookup', () => {
    const keys = new KeyHashSet();
    for (let at = 0; at < 20_000; at += 1) {
      keys.add(`thumbs/${at % 15_000}`);
      if (at % 997 === 0) expect(keys.has(`thumbs/${at % 15_000}`)).toBe(true);
    }
    const missing = Array.from({ length: 15_000 }, (_, at) => `thumbs/${at}`).filter((key) => !keys.has(key));
    const claimed = Array.from({ length: 15_000 }, (_, at) => `frames/${at}`).filter((key) => keys.has(key));
    expect({ missing, claimed }).toEqual({ missing: [], claimed: [] });
  });

  it('can be encoded and decoded, and rejects truncated bytes', () => {
    const [one, other] = [new KeyHashSet(), new KeyHashSet()];
    for (let at = 0; at < 3_000; at += 1) (at % 2 === 0 ? one : other).add(`thumbs/${at}`);
    const bytes = one.toBytes();
    const read = KeyHashSet.fromBytes(bytes)!;
    read.addAll(other);
    expect(Array.from({ length: 3_000 }, (_, at) => read.has(`thumbs/${at}`)).every(Boolean)).toBe(true);
    expect(read.has('thumbs/3000')).toBe(false);
    for (const length of [0, 8, 2_048, bytes.length - 8, bytes.length - 1])
      expect(KeyHashSet.fromBytes(bytes.subarray(0, length))).toBeUndefined();
  });

  it('is empty at first', () => {
    expect(new KeyHashSet().has('thumbs/1')).toBe(false);
  });
});
