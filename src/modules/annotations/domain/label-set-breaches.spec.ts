import type { Annotation } from '../../../common/engine/annotations/annotation';
import type { LabelAttribute, LabelSet } from '../../datasets';
import { breachesIn, type LabelSetBreach } from './label-set-breaches';
import type { Edit, GivenAnnotation } from './source-change';

const attributes: readonly LabelAttribute[] = [
  { name: 'size', type: 'choice', values: ['small', 'large'] },
  { name: 'age', type: 'number' },
  { name: 'name', type: 'text' },
  { name: 'occluded', type: 'boolean' },
];
const SET: LabelSet = {
  labels: [
    { name: 'boat', colour: null, hotKey: null, attributes },
    { name: 'sea', colour: null, hotKey: null, attributes: [] },
  ],
  closed: true,
};
const STORED: Annotation = { id: 'a', label: 'boat', attributes: { size: 'huge', hull: 'wood' }, version: 1 };

const said = (values: GivenAnnotation['attributes'], label = 'boat', id?: string): Edit => ({
  kind: 'merge',
  given: { label, ...(values !== undefined && { attributes: values }), ...(id !== undefined && { id }) },
});
const breaches = (...edits: Edit[]): LabelSetBreach[] => breachesIn(SET, [{ edits, stored: [STORED] }]);
const reasons = (...edits: Edit[]): string[] => breaches(...edits).map(({ reason }) => reason);

describe('breachesIn', () => {
  it('finds nothing where labels and attributes are in the set', () => {
    const all = { size: 'small', age: 3.5, name: 'Ada', occluded: false };
    expect(breaches(said(all), said(undefined, 'sea'), { kind: 'remove', given: { id: 'a' } })).toEqual([]);
  });

  it('names other labels, by their position', () => {
    const relabel: Edit = { kind: 'relabel', labels: ['sea', 'ship'], among: [] };
    const pictures = [said({}), said({ size: 1 }, 'car'), relabel].map((edit) => ({ edits: [edit], stored: [] }));
    expect(breachesIn(SET, pictures)).toEqual([
      { at: 1, path: ['label'], input: 'car', reason: "'car' is not in the label set." },
      { at: 2, path: ['label'], input: 'ship', reason: "'ship' is not in the label set." },
    ]);
  });

  it('names attributes that the label does not have', () => {
    expect(breaches(said({ colour: 'red' }))).toEqual([
      {
        ...{ at: 0, path: ['attributes', 'colour'], input: 'red' },
        reason: "'colour' is not an attribute of 'boat' in the label set.",
      },
    ]);
    expect(reasons(said({ constructor: true }), said({ size: 'small' }, 'sea'))).toEqual([
      "'constructor' is not an attribute of 'boat' in the label set.",
      "'size' is not an attribute of 'sea' in the label set.",
    ]);
  });

  it('names values of another type, and none of a choice', () => {
    expect(reasons(said({ size: 'huge', age: '3', name: 4, occluded: 'no' }))).toEqual([
      "The attribute 'size' of 'boat' is one of small, large.",
      "The attribute 'age' of 'boat' is a number.",
      "The attribute 'name' of 'boat' is a text.",
      "The attribute 'occluded' of 'boat' is true or false.",
    ]);
  });

  it('lets attributes stay that the annotation has already, whatever its label', () => {
    expect(reasons(said(STORED.attributes, 'boat', 'a'), said(STORED.attributes, 'sea', 'a'))).toEqual([]);
    expect(reasons(said({ size: 'tiny' }, 'boat', 'a'), said(STORED.attributes, 'boat', 'b'))).toHaveLength(3);
  });

  it('ends at a hundred', () => {
    expect(breaches(...Array.from({ length: 90 }, () => said({ a: 1, b: 2, c: 3 })))).toHaveLength(100);
  });
});
