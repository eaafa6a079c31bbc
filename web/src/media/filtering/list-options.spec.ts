import { labelTree } from './list-options';

const label = (value: string, count: number, ...parents: string[]) => ({ value, count, parents });
const shown = (...facets: Parameters<typeof labelTree>) =>
  labelTree(...facets).map(({ value, count, above, hasNarrower }) => [
    `${'  '.repeat(above.length)}${value}`,
    count,
    hasNarrower,
  ]);

describe('the tree of labels', () => {
  const broader_labels = [label('animal', 9), label('dog', 6, 'animal'), label('vehicle', 2)];

  it('lists each label below its parent, the most frequent first', () => {
    const labels = [
      label('boat', 1, 'vehicle'),
      label('car', 1, 'vehicle'),
      label('cat', 3, 'animal'),
      label('Dog', 2, 'animal'),
      label('terrier', 4, 'dog', 'animal'),
      label('own', 5),
    ];
    expect(shown({ labels, broader_labels })).toEqual([
      ['animal', 9, true],
      ['  dog', 6, true],
      ['    terrier', 4, false],
      ['  cat', 3, false],
      ['own', 5, false],
      ['vehicle', 2, true],
      ['  boat', 1, false],
      ['  car', 1, false],
    ]);
  });

  it('is a plain list where no label has a parent', () => {
    expect(shown({ labels: [label('a', 1), label('b', 2)], broader_labels: [] })).toEqual([
      ['b', 2, false],
      ['a', 1, false],
    ]);
  });

  it('has parents without a count that the service left out', () => {
    expect(shown({ labels: [label('terrier', 4, 'dog', 'animal')], broader_labels: [] })).toEqual([
      ['animal', null, true],
      ['  dog', null, true],
      ['    terrier', 4, false],
    ]);
  });
});
