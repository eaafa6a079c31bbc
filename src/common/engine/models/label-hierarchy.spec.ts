import { LabelHierarchy, MAX_PARENTS, type ClassLabel } from './label-hierarchy';

const label = (name: string, ...parents: readonly string[]): ClassLabel => ({ label: name, parents });
const PETS = [label('terrier', 'dog', 'animal'), label('cat', 'animal'), label('sofa', 'furniture')];
const within = (hierarchy: LabelHierarchy, wide: string, others: readonly string[]): string[] =>
  others.filter(hierarchy.within(wide));

describe('the hierarchy of labels', () => {
  const hierarchy = LabelHierarchy.of([PETS]);
  const LABELS = ['Animal', 'DOG', 'terrier', 'Cat', 'sofa', 'unknown'];

  it('has the parents of a label and of a parent, regardless of case', () => {
    expect(hierarchy.parentsOf('Terrier')).toEqual(['dog', 'animal']);
    expect(hierarchy.parentsOf('DOG')).toEqual(['animal']);
    expect(hierarchy.parentsOf('animal')).toEqual([]);
  });

  it('has a label and all below it', () => {
    expect(within(hierarchy, 'animal', LABELS)).toEqual(['Animal', 'DOG', 'terrier', 'Cat']);
    expect(within(hierarchy, 'Dog', LABELS)).toEqual(['DOG', 'terrier']);
    expect(within(hierarchy, 'terrier', LABELS)).toEqual(['terrier']);
  });

  it('has an unknown label alone', () => {
    expect(hierarchy.parentsOf('Unknown')).toEqual([]);
    expect(within(hierarchy, 'Unknown', LABELS)).toEqual(['unknown']);
  });

  it('counts a label with others below it among its own groups', () => {
    expect(hierarchy.groupsOf('terrier')).toEqual(['dog', 'animal']);
    expect(hierarchy.groupsOf('DOG')).toEqual(['dog', 'animal']);
    expect(hierarchy.groupsOf('unknown')).toEqual([]);
  });

  it('joins the labels of several models, of which the first says what the parent is', () => {
    const joined = LabelHierarchy.of([PETS, [label('Dog', 'pet', 'companion'), label('hare', 'Animal', 'being')]]);
    expect(joined.parentsOf('terrier')).toEqual(['dog', 'animal', 'being']);
    expect(within(joined, 'pet', LABELS)).toEqual([]);
    expect(within(joined, 'being', LABELS)).toEqual(['Animal', 'DOG', 'terrier', 'Cat']);
  });

  it('has no circle where models disagree, and ends', () => {
    const circle = LabelHierarchy.of([[label('a', 'b', 'c')], [label('b', 'a'), label('c', 'b')], [label('d', 'D')]]);
    expect(['a', 'b', 'c', 'd'].map((each) => circle.parentsOf(each))).toEqual([['b', 'c'], ['c'], [], []]);
    expect(within(circle, 'b', ['a', 'b', 'c', 'd'])).toEqual(['a', 'b']);
    const ring = Array.from({ length: 100 }, (_, at) => label(`${at}`, `${(at + 1) % 100}`));
    for (const labels of [ring, ring.toReversed()])
      expect(LabelHierarchy.of([labels]).parentsOf('0').length).toBeLessThanOrEqual(MAX_PARENTS);
  });

  it('remains the same object while the models do', () => {
    expect(hierarchy.with([[], PETS])).toBe(hierarchy);
    const more = hierarchy.with([PETS, [label('hare', 'animal')]]);
    expect(more).not.toBe(hierarchy);
    expect(more.revision).not.toBe(hierarchy.revision);
    expect(more.with([]).isEmpty).toBe(true);
  });
});
