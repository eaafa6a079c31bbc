import { likelyLabels } from './likely-labels';

const NOTHING = { media: undefined, others: [], own: [], wanted: [], frequent: [] };

const neighbour = (...labels: string[]) => ({ labels: Object.fromEntries(labels.map((label) => [label, 1])) });

describe('likely labels', () => {
  it('begin with the suggestion for a wrong label, then what sources say, then the most frequent of pictures that look alike', () => {
    const issues = [
      { issue: 'blur' as const, confidence: 1 },
      { issue: 'mislabels' as const, confidence: 0.9, issues_description: 'dog' },
    ];
    const neighbours = [neighbour('wolf'), neighbour('fox', 'cat'), neighbour('fox')];
    const known = {
      media: { issues, neighbours },
      others: ['puppy'],
      own: ['cat'],
      wanted: ['bird'],
      frequent: ['dog'],
    };
    expect(likelyLabels(known)).toEqual(['dog', 'puppy', 'fox', 'wolf', 'cat', 'bird']);
  });

  it('have no empty label and none twice', () => {
    expect(likelyLabels({ ...NOTHING, others: ['', 'cat'], wanted: ['cat'], frequent: ['dog', ''] })).toEqual([
      'cat',
      'dog',
    ]);
  });
});
