import { givenLabels, withGeneratedLabels } from './media-row';

const row = { labels: ['cat', 'sofa'], generatedLabels: null };
const found = [
  { label: 'cat', confidence: 0.9 },
  { label: 'window', confidence: 0.4 },
];

describe('generated labels', () => {
  const labelled = withGeneratedLabels(row, found);

  it('are kept beside labels by people', () => {
    expect(labelled).toEqual({
      labels: ['cat', 'sofa', 'window'],
      generatedLabels: [
        { label: 'cat', confidence: 0.9, given: true },
        { label: 'window', confidence: 0.4, given: false },
      ],
    });
    expect(givenLabels(labelled)).toEqual(['cat', 'sofa']);
  });

  it('are replaced by those of the next model', () => {
    const next = withGeneratedLabels(labelled, [{ label: 'sofa', confidence: 0.5 }]);
    expect(next.labels).toEqual(['cat', 'sofa']);
    expect(next.generatedLabels).toEqual([{ label: 'sofa', confidence: 0.5, given: true }]);
    expect(withGeneratedLabels(labelled, null)).toEqual(row);
  });
});
