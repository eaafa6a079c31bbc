import { hash } from 'node:crypto';
import { ContentNumbers } from './collected-groups';

test('contents are numbered by their first occurrence, for any hashes', () => {
  const names = Array.from({ length: 5000 }, (_, at) =>
    at % 7 === 0 ? `not a hash ${at % 900}` : hash('sha256', String(at % 900)),
  );
  const numbers = new ContentNumbers(names.length);
  const expected = new Map<string, number>();
  for (const name of names) {
    const number = expected.get(name) ?? expected.size;
    expected.set(name, number);
    expect(numbers.numberOf(name)).toBe(number);
  }
});

test('contents whose hashes share a prefix differ', () => {
  const numbers = new ContentNumbers(3);
  const start = 'ab'.repeat(15);
  expect(
    [`${start}01${'0'.repeat(32)}`, `${start}02${'0'.repeat(32)}`, start].map((name) => numbers.numberOf(name)),
  ).toEqual([0, 1, 2]);
});
