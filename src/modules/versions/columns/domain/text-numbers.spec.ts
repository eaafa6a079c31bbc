import fc from 'fast-check';
import { TextNumbers } from './text-numbers';

function encoded(texts: readonly string[]) {
  const parts = texts.map((text) => Buffer.from(text));
  const bounds = new Int32Array(texts.length + 1);
  parts.forEach((part, i) => (bounds[i + 1] = bounds[i]! + part.length));
  return { bytes: Buffer.concat(parts), bounds };
}

it('numbers texts like a map, given as texts or as bytes', () => {
  // More texts than there are slots, so that some take the place of others.
  const words = Array.from({ length: 10_000 }, (_, i) => (i % 7 === 0 ? `größe ${i}` : `label_${i}`));
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 5 }),
    fc.nat(words.length - 1).map((i) => words[i]!),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 300 }), fc.infiniteStream(fc.boolean()), (some, coin) => {
      const texts = [...some, ...some.toReversed()];
      const [numbers, expected] = [new TextNumbers(), new Map<string, number>()];
      const at = encoded(texts);
      for (const [place, each] of texts.entries()) {
        const decoded = Buffer.from(each).toString();
        if (!expected.has(decoded)) expected.set(decoded, expected.size);
        const number = coin.next().value ? numbers.of(decoded) : numbers.ofEncoded(at, place, () => decoded);
        expect(number).toBe(expected.get(decoded));
      }
      expect([...numbers.numbers]).toEqual([...expected]);
    }),
  );
  const all = encoded([...words, ...words]);
  const numbers = new TextNumbers(new Map([['before', 0]]));
  for (let place = 0; place < 2 * words.length; place++)
    expect(numbers.ofEncoded(all, place, () => words[place % words.length]!)).toBe(1 + (place % words.length));
});
