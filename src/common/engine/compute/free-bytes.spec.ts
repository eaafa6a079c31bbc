import { freeBytes } from './free-bytes';

describe('freeBytes', () => {
  it('takes the memory of bytes that have it for themselves', () => {
    const bytes = Buffer.allocUnsafeSlow(1000);
    freeBytes(bytes);
    expect(bytes).toHaveLength(0);
  });

  it('leaves alone what shares its memory with others', () => {
    const all = new Uint8Array(100).fill(7);
    freeBytes(all.subarray(10, 20));
    freeBytes(Buffer.from('of a pool'));
    expect(all).toHaveLength(100);
  });
});
