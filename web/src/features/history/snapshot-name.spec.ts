import { nameOf } from './snapshot-name';

const ID = '0b9f0b0e-6f3c-4b3a-9a53-0d8f6f1f6d11';

it.each([
  ['creation', `Harbour_snapshot_${ID}`, 'Created'],
  ['clone', `Harbour_snapshot_${ID}`, 'Cloned'],
  ['enrichment', `Harbour_snapshot_${ID}`, 'Enriched'],
  ['removal', `Harbour_snapshot_${ID}`, 'Before a removal'],
  ['manual', `Harbour_snapshot_${ID}`, `Harbour_snapshot_${ID}`],
  ['creation', 'As delivered', 'As delivered'],
] as const)('calls a snapshot of a %s with the name %s %s', (reason, name, expected) => {
  expect(nameOf({ snapshot_name: name, snapshot_id: ID, reason })).toBe(expected);
});
