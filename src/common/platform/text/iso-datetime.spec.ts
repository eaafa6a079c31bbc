import { isDatetime } from './iso-datetime';

it.each([
  ['2026-01-31T12:00:00Z', true],
  ['2026-01-31T12:00:00.123456+05:30', true],
  ['9999-12-31T23:59:59Z', true],
  ['9999-12-31T23:59:59-14:00', false],
  ['0001-01-01T00:00:00+14:00', false],
  ['0000-06-01T00:00:00Z', false],
  ['2026-02-30T00:00:00Z', false],
  ['2026-01-31T12:00:00', false],
  ['2026-01-31', false],
  ['', false],
  [`2026-01-31T12:00:00.${'0'.repeat(1_000_000)}Z`, false],
])('%.40s is a datetime: %s', (text, expected) => expect(isDatetime(text)).toBe(expected));
