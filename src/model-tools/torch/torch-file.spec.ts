import { Random } from '../../../test/support/random';
import { torchFile, type MadeTensor } from '../../../test/support/torch-files';
import { WeightsRefusedError } from '../packages/converter';
import { readTorchFile } from './torch-file';

const SIX = [1, 2, 3, 4, 5, 6];

function only(tensor: MadeTensor): number[] {
  return [...readTorchFile(torchFile({ t: tensor })).get('t')!.values];
}

describe('readTorchFile', () => {
  it('reads tensors by name', () => {
    const tensors = readTorchFile(torchFile({ a: { shape: [2, 3], values: SIX }, b: { shape: [], values: [0.5] } }));
    expect([...tensors.keys()]).toEqual(['a', 'b']);
    expect(tensors.get('a')).toEqual({ shape: [2, 3], values: Float32Array.from(SIX) });
    expect(tensors.get('b')).toEqual({ shape: [], values: Float32Array.of(0.5) });
  });

  it('follows strides and offsets', () => {
    expect(only({ shape: [3, 2], values: SIX, strides: [1, 3] })).toEqual([1, 4, 2, 5, 3, 6]);
    expect(only({ shape: [2], values: SIX, offset: 1, strides: [3] })).toEqual([2, 5]);
    expect(only({ shape: [2, 0], values: SIX })).toEqual([]);
  });

  it.each<[string, MadeTensor]>([
    ['is longer than its storage', { shape: [7], values: SIX }],
    ['begins too late', { shape: [6], values: SIX, offset: 1 }],
    ['has strides that leave its storage', { shape: [2, 3], values: SIX, strides: [6, 1] }],
    ['repeats a number without end', { shape: [1_000_000, 1_000_000], values: SIX, strides: [0, 0] }],
    ['has a negative length', { shape: [-1], values: SIX }],
    ['has more lengths than strides', { shape: [2, 3], values: SIX, strides: [1] }],
  ])('refuses a tensor that %s', (_, tensor) => {
    expect(() => only(tensor)).toThrow(WeightsRefusedError);
  });

  it('refuses a file that is cut off or continued anywhere', () => {
    const whole = torchFile({ a: { shape: [2, 3], values: SIX } });
    for (let length = 0; length < whole.length; length++)
      expect(() => readTorchFile(whole.subarray(0, length))).toThrow(WeightsRefusedError);
    expect(() => readTorchFile(Buffer.concat([whole, Buffer.of(0)]))).toThrow('something follows');
  });

  it('reads or refuses damaged files', () => {
    const random = new Random(17);
    const whole = torchFile({ a: { shape: [2, 3], values: SIX }, b: { shape: [6], values: SIX } });
    let refused = 0;
    for (let time = 0; time < 2_000; time++) {
      const damaged = Buffer.from(whole);
      for (let flips = 1 + random.integer(3); flips > 0; flips--)
        damaged[random.integer(damaged.length)]! ^= 1 << random.integer(8);
      try {
        for (const { values } of readTorchFile(damaged).values()) expect(values.length).toBeLessThanOrEqual(12);
      } catch (error) {
        expect(error).toBeInstanceOf(WeightsRefusedError);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(1_000);
  });
});
