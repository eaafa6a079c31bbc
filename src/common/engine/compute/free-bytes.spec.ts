import { freeBytes } from './decode/decoded-image';

describe('freeBytes', () => {
  it('releases the memory of bytes with their own buffer', () => {
    const bytes = Buffer.allocUnsafeSlow(1000);
    freeBytes(bytes);
    expect(bytes).toHaveLength(0);
  });

  it('keeps memory that is shared', () => {
    const all = new Uint8Array(100).fill(7);
    freeBytes(all.subarray(10, 20));
    freeBytes(Buffer.from('of a pool'));
    expect(all).toHaveLength(100);
  });
});
