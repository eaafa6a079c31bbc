import fc from 'fast-check';
import { PackedTexts } from './packed-texts';

const text = fc.oneof(
  fc.constantFrom('', 'a', 'aa', 'aaa', 'ab', 'ba', 'é', 'e\u0301', '🦩', 'a🦩a'),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);

async function foundIn(texts: readonly string[], wanted: string, isWhole: boolean): Promise<number[]> {
  const packed = new PackedTexts();
  for (const each of texts) packed.push(each);
  const found: number[] = [];
  await packed.trim().find(wanted, isWhole, (index) => found.push(index));
  return found;
}

it('finds the texts that contain or equal a given text', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(text, { maxLength: 40 }),
      text.filter((wanted) => wanted !== ''),
      async (texts, wanted) => {
        const where = (test: (each: string) => boolean) => texts.flatMap((each, at) => (test(each) ? [at] : []));
        expect(await foundIn(texts, wanted, false)).toEqual(where((each) => each.includes(wanted)));
        expect(await foundIn(texts, wanted, true)).toEqual(where((each) => each === wanted));
      },
    ),
    { numRuns: 2_000 },
  ));

it('stores many texts', () => {
  const packed = new PackedTexts();
  const texts = Array.from({ length: 5_000 }, (_, at) => 'größer 🦩'.repeat(at % 7) + String(at));
  for (const each of texts) packed.push(each);
  packed.trim();
  expect(texts.map((_, at) => packed.at(at))).toEqual(texts);
  expect(packed.byteLength).toBe(8 * 5_000 + Buffer.byteLength(texts.join('')));
});
