import fc from 'fast-check';
import { join, normalize } from 'node:path';
import { safeRelativePath, UnsafeFileNameError } from './safe-relative-path';

describe('the name of an uploaded file', () => {
  it.each([
    'a.jpg',
    'holiday/day one/a.jpg',
    'forêt/魚 😀.png',
    'l\'été "vu" d\'ici, again; 100%.jpg',
    '...jpg',
    '.hidden/.a.jpg',
    'a..b/c...d.jpg',
    '-rf.jpg',
    '%2e%2e/a.jpg',
    ' a .jpg ',
    `${'x'.repeat(251)}.jpg`,
  ])('is unchanged if it is safe: %j', (name) => {
    expect(safeRelativePath(name)).toBe(name);
  });

  it('is normalised to composed form', () => {
    expect(safeRelativePath('e\u0301te\u0301.jpg')).toBe('\u00e9t\u00e9.jpg');
  });

  it.each([
    ['', 'is empty'],
    ['/etc/passwd.jpg', 'is not relative'],
    ['//host/a.jpg', 'is not relative'],
    ['C:/a.jpg', 'is not relative'],
    ['c:a.jpg', 'is not relative'],
    ['..', "leads through '..'"],
    ['../a.jpg', "leads through '..'"],
    ['a/../b.jpg', "leads through '..'"],
    ['a/..', "leads through '..'"],
    ['./a.jpg', "leads through '.'"],
    ['a//b.jpg', 'has a folder or file without a name'],
    ['a/', 'has a folder or file without a name'],
    ['..\\a.jpg', "holds a backslash: write '/' between folders"],
    ['a\0.jpg', 'holds a control character or a line break'],
    ['a\nb.jpg', 'holds a control character or a line break'],
    ['a\u0085b.jpg', 'holds a control character or a line break'],
    ['a\u2028b.jpg', 'holds a control character or a line break'],
    ['a\ud800.jpg', 'is not valid Unicode'],
    [`${'x'.repeat(256)}.jpg`, 'has a part longer than 255 bytes'],
    [`${'é'.repeat(128)}.jpg`, 'has a part longer than 255 bytes'],
    [`${'folder/'.repeat(200)}a.jpg`, 'is longer than 1024 bytes'],
    [`${'a\u0301'.repeat(3000)}.jpg`, 'is longer than 1024 bytes'],
    [`a${'\u0301'.repeat(31)}.jpg`, 'has more than 30 combining marks in a row'],
  ])('is refused with a reason: %j %s', (name, reason) => {
    expect(() => safeRelativePath(name)).toThrow(UnsafeFileNameError);
    expect(() => safeRelativePath(name)).toThrow(reason);
  });

  it('never escapes its folder', () => {
    const part = fc.oneof(
      fc.constantFrom('..', '.', '', '/', '\\', '\0', '\n', 'C:', '~', 'a.jpg', '%2f'),
      fc.string({ unit: 'binary' }),
    );
    const names = fc
      .array(part, { maxLength: 8 })
      .chain((parts) => fc.constantFrom('/', '', '\\').map((by) => parts.join(by)));
    fc.assert(
      fc.property(names, (name) => {
        let kept: string;
        try {
          kept = safeRelativePath(name);
        } catch (error) {
          expect(error).toBeInstanceOf(UnsafeFileNameError);
          expect((error as Error).message).not.toMatch(/[\n\0]/);
          return;
        }
        expect(join('/srv', kept)).toBe(`/srv/${kept}`);
        expect(normalize(kept)).toBe(kept);
        expect(safeRelativePath(kept)).toBe(kept);
        expect(kept).toBe(name.normalize('NFC'));
      }),
      { numRuns: 2000 },
    );
  });
});
