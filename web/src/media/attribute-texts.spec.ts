import { areWritable, testIn, textOf, type AttributeTest } from './attribute-texts';

describe('the value of an attribute', () => {
  it.each<[string, AttributeTest]>([
    ['true', true],
    ['"true"', 'true'],
    ['3', 3],
    ['-0.5', -0.5],
    ['"3"', '3'],
    ['3..10', [3, 10]],
    ['-2..-1.5', [-2, -1.5]],
    ['red', 'red'],
    ['red, blue', ['red', 'blue']],
    ['"red, blue"', 'red, blue'],
    ['""', ''],
    ['3..x', '3..x'],
    ['007', '007'],
    ['Infinity', 'Infinity'],
  ])('%s is %j', (text, test) => {
    expect(testIn(text)).toEqual(test);
    expect(textOf(test)).toBe(text);
  });

  it('is read without spaces around it, and bounds in any order', () => {
    expect(testIn(' red ,blue,')).toEqual(['red', 'blue']);
    expect(testIn('10..3')).toEqual([3, 10]);
  });

  it('is shown if it can be written', () => {
    expect(areWritable({ occluded: true, age: [3, 10], colour: ['red', 'blue'] })).toBe(true);
    for (const tests of [
      {},
      null,
      [],
      { colour: ['red'] },
      { colour: ['a,b', 'c'] },
      { age: null },
      { age: [1, 2, 3] },
    ])
      expect(areWritable(tests)).toBe(false);
  });
});
