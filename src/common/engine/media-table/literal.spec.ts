import fc from 'fast-check';
import { identifier, inList, literal } from './literal';

/** The number of runs; set another one with `FUZZ_RUNS=100000 npm test -- literal`. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 2000);

const PIECES = ["'", "''", "' OR 1=1 --", '\\', '"', '%', ';', '\0', '\n', '\u202e', 'a'];
const anyText = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

describe('literals', () => {
  it('double each single quote and change nothing else', () => {
    expect(literal("' OR 1=1 --")).toBe("''' OR 1=1 --'");
    expect(literal('a\\b"c%d')).toBe("'a\\b\"c%d'");
  });

  it('end at the right place for any content', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const [, inner] = /^'((?:[^']|'')*)'$/.exec(literal(text))!;
        expect(inner!.replaceAll("''", "'")).toBe(text);
      }),
      { numRuns: RUNS },
    );
  });

  it('reject values without a literal', () => {
    expect(() => literal(Number.NaN)).toThrow(RangeError);
    expect(() => literal(Infinity)).toThrow(RangeError);
    expect(() => inList([])).toThrow(RangeError);
  });

  it('accept only plain names as columns', () => {
    expect(identifier('cluster_0')).toBe('`cluster_0`');
    for (const name of ['', 'a b', 'a`b', 'a"b', 'Ä', 'a.b', '1a']) expect(() => identifier(name)).toThrow(RangeError);
  });
});
