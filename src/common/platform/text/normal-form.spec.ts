import { hasTooManyMarks, normalForm } from './texts';

const marks = (count: number): string => '\u0301'.repeat(count);

it('normalises texts in any language', () => {
  for (const text of ['e\u0301te\u0301', 'Ångström', '\u1100\u1161', `q${marks(30)}`]) {
    expect(hasTooManyMarks(text)).toBe(false);
    expect(normalForm(text, 'NFC')).toBe(text.normalize('NFC'));
    expect(normalForm(text, 'NFKD')).toBe(text.normalize('NFKD'));
  }
});

it('drops excessive combining marks', () => {
  expect(hasTooManyMarks(`q${marks(31)}`)).toBe(true);
  expect(normalForm(`q${marks(500)}x${marks(2)}`, 'NFC')).toBe(`q${marks(30)}x${marks(2)}`);
});
