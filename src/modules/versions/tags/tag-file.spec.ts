import { decodeTags, encodeTags } from './tag-files';

describe('a tag file', () => {
  it('decodes encoded tags', () => {
    const lists = new Map([
      ['2f0b1f6e-27c4-4a52-9b1e-9b7c5f0f2c11', Int32Array.from([0, 7, 1_000_000])],
      ['5a7b1f6e-27c4-4a52-9b1e-9b7c5f0f2c11', Int32Array.from([3])],
    ]);
    expect(decodeTags(encodeTags(lists))).toEqual(lists);
  });

  it('may be empty', () => expect(decodeTags(encodeTags(new Map())).size).toBe(0));

  it('is decoded from unaligned memory', () => {
    const bytes = encodeTags(new Map([['a', Int32Array.from([1, 2, 3])]]));
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    expect(decodeTags(shifted.subarray(1)).get('a')).toEqual(Int32Array.from([1, 2, 3]));
  });

  it('is refused if it has another format', () => expect(() => decodeTags(new Uint8Array(100))).toThrow());
});
