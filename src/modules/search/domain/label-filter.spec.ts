import { labelFilter } from './label-filter';

describe('labelFilter', () => {
  it('is absent without labels', () => expect(labelFilter([])).toBeUndefined());
  it('asks for any of them', () => expect(labelFilter(['a', "b'c"])).toBe("array_has_any(`labels`, ['a', 'b''c'])"));
  it('knows the rows without labels', () => expect(labelFilter(['unlabeled'])).toBe('cardinality(`labels`) = 0'));
  it('combines both', () =>
    expect(labelFilter(['a', 'unlabeled'])).toBe("array_has_any(`labels`, ['a']) OR cardinality(`labels`) = 0"));
});
