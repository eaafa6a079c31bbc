import { hasAttributes, type AttributeTests } from './attribute-tests';

describe('the attributes of an annotation', () => {
  const attributes = { occluded: true, age: 7, colour: 'red', size: '7' };

  it.each<[AttributeTests, boolean]>([
    [{ occluded: true }, true],
    [{ occluded: false }, false],
    [{ occluded: 'true' }, false],
    [{ age: 7 }, true],
    [{ age: '7' }, false],
    [{ size: 7 }, false],
    [{ age: [7, 7] }, true],
    [{ age: [7.5, 9] }, false],
    [{ size: [0, 9] }, false],
    [{ colour: ['blue', 'red'] }, true],
    [{ colour: ['Red'] }, false],
    [{ occluded: ['true'] }, false],
    [{ occluded: true, colour: 'blue' }, false],
    [{ constructor: 'red' }, false],
    [{ toString: ['x'] }, false],
  ])('pass %j: %s', (tests, expected) => {
    expect(hasAttributes({ attributes }, tests)).toBe(expected);
    expect(hasAttributes({}, tests)).toBe(false);
  });
});
