import { arrayLiteral, identifier, inList, literal } from './literal';

describe('literals', () => {
  it('double each single quote and touch nothing else', () => {
    expect(literal("' OR 1=1 --")).toBe("''' OR 1=1 --'");
    expect(literal('a\\b"c%d')).toBe("'a\\b\"c%d'");
  });

  it('refuse what has no literal', () => {
    expect(() => literal(Number.NaN)).toThrow(RangeError);
    expect(() => literal(Infinity)).toThrow(RangeError);
    expect(() => inList([])).toThrow(RangeError);
    expect(() => arrayLiteral([])).toThrow(RangeError);
  });

  it('take only plain names as columns', () => {
    expect(identifier('cluster_0')).toBe('`cluster_0`');
    for (const name of ['', 'a b', 'a`b', 'a"b', 'Ä', 'a.b', '1a']) expect(() => identifier(name)).toThrow(RangeError);
  });
});
