import type { MetadataType } from '../../../../common/engine/media-table/media-row';
import type { MetadataOp } from '../../../versions';
import { misfitOf } from './facet-filters';

it.each<[MetadataType | undefined, MetadataOp, string | number | boolean, RegExp | undefined]>([
  [undefined, 'eq', 'a', /The dataset has no field "any"/],
  ['string', 'gt', 1, /type string; the op .* one of eq, contains, one_of\./],
  ['string', 'eq', 1, /should be a string/],
  ['float', 'contains', 'a', /one of eq, gt, lt, between/],
  ['float', 'eq', '1', /should be a number/],
  ['datetime', 'eq', 'yesterday', /should be a datetime/],
  ['datetime', 'gt', 5, /should be a datetime/],
  ['boolean', 'eq', 'true', /should be true or false/],
  ['enum', 'eq', 'a', undefined],
  ['link', 'contains', 'a', undefined],
])('a filter of a field of the type %s by %s %j is refused if it does not fit', (type, op, value, reason) => {
  const misfit = misfitOf({ kind: 'metadata', field: 'any', op, values: [value] }, type);
  if (reason === undefined) expect(misfit).toBeUndefined();
  else expect(misfit).toMatch(reason);
});
