import { allowedAttributes, attributesOf, valueIn, withAttribute, type Attribute } from './set-attributes';

const SIZE: Attribute = { name: 'size', type: 'choice', values: ['small', ' large'] };
const AGE: Attribute = { name: 'age', type: 'number' };
const labels = [{ name: 'boat', colour: null, hot_key: null, attributes: [SIZE, AGE] }];

describe('attributes of a label set', () => {
  it('are those of the label', () => {
    expect(attributesOf(labels, 'boat')).toEqual([SIZE, AGE]);
    expect(attributesOf(labels, 'constructor')).toEqual([]);
  });

  it('are all that may be given if the set is closed', () => {
    const given = { size: 'small', age: '3', hull: 'wood' };
    expect(allowedAttributes({ labels, closed: true }, 'boat', given)).toEqual({ size: 'small' });
    expect(allowedAttributes({ labels, closed: true }, 'sea', given)).toEqual({});
    expect(allowedAttributes({ labels, closed: false }, 'sea', given)).toBe(given);
    expect(allowedAttributes(undefined, 'sea', given)).toBe(given);
  });

  it('are read as their type says', () => {
    const read = (type: Attribute['type'], ...texts: string[]) =>
      texts.map((text) => valueIn({ name: 'a', type }, text));
    expect(read('number', '3.5', ' -1 ', '1e400', 'x', '')).toEqual([3.5, -1, undefined, undefined, undefined]);
    expect(read('boolean', 'true', 'false', 'yes', '')).toEqual([true, false, undefined, undefined]);
    expect(read('text', ' Ada ', ' ')).toEqual(['Ada', undefined]);
    expect(['small', ' large', 'large', ''].map((text) => valueIn(SIZE, text))).toEqual([
      'small',
      ' large',
      undefined,
      undefined,
    ]);
  });

  it('are set and removed one by one', () => {
    expect(withAttribute({ age: 3 }, 'size', 'small')).toEqual({ age: 3, size: 'small' });
    expect(withAttribute({ age: 3, size: 'small' }, 'age', undefined)).toEqual({ size: 'small' });
  });
});
