import { summaryOf } from './filter-summary';

const summary = (...vql: object[]): readonly string[] =>
  summaryOf({ entity_type: 'IMAGES', threshold: '0', caption: null, vql }, { 7: 'kept' }).slice(1);

describe('summary of a view', () => {
  it.each([
    [{ labels: { op: 'one_of', value: ['boat', 'unlabeled'] } }, 'labels: boat or without label'],
    [
      { labels: { op: 'one_of', value: ['boat', 'unlabeled'], with_narrower: true } },
      'labels: any boat or without label',
    ],
    [
      { labels: { op: 'one_of', value: ['boat', 'buoy'], source: 'detector-a', confidence: [0.5, 1], count: 3 } },
      'detector-a: boat or buoy, confidence from 50%, at least 3',
    ],
    [{ labels: { op: 'not_one_of', value: ['unlabeled'], source: 'annotator-2' } }, 'annotator-2: any label'],
    [{ tags: { op: 'one_of', value: ['7'] } }, 'tags: kept'],
    [{ issues: { op: 'issue', value: ['blur'] } }, 'issues: blurred'],
    [{ files: { op: 'contains', value: 'dark' } }, 'file names: with dark'],
    [{ folders: { op: 'one_of', value: ['blur'] } }, 'folders: blur'],
    [{ width: { op: 'gte', value: 1600 } }, 'width: from 1,600'],
    [{ width: { op: 'between', value: [0, 1600] } }, 'width: 0 to 1,600'],
    [{ file_size: { op: 'lte', value: 2_000_000 } }, /^file size: to \d.* MB$/],
    [{ not: { uniqueness: { op: 'uniqueness', value: 0.5 } } }, 'not uniqueness: above 0.5'],
  ])('tells %j', (filter, expected) => {
    const [text] = summary(filter);
    if (typeof expected === 'string') expect(text).toBe(expected);
    else expect(text).toMatch(expected);
  });

  it('shows unknown filters unchanged', () => {
    const filters = [{ width: { op: 'between', value: 5 } }, { other: { op: 'is', value: 1 } }];
    expect(summary(...filters)).toEqual(filters.map((filter) => JSON.stringify(filter)));
  });
});
