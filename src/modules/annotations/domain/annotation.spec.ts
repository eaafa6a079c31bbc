import { annotated } from './annotation';

const ROW = {
  labels: ['cat', 'sofa'],
  generatedLabels: null,
  caption: 'a cat',
  captionEmbedding: Float32Array.of(1),
  customMetadata: null,
};

describe('an annotation', () => {
  it.each([
    ['add', ['cat', 'sofa', 'pet']],
    ['replace', ['pet', 'cat']],
  ] as const)('with the mode "%s" gives these labels', (mode, labels) => {
    expect(annotated(ROW, { labels: ['pet', 'cat', 'pet'] }, mode).labels).toEqual(labels);
  });

  it('does not change properties that it omits', () => {
    expect(annotated(ROW, {}, 'replace')).toEqual(ROW);
    expect(annotated(ROW, { labels: [] }, 'replace')).toEqual({ ...ROW, labels: [] });
  });

  it('replaces a caption, and its vector is computed again', () => {
    const expected = { ...ROW, captionEmbedding: null };
    expect(annotated(ROW, { caption: 'a dog' }, 'add')).toEqual({ ...expected, caption: 'a dog' });
    expect(annotated(ROW, { caption: null }, 'add')).toEqual({ ...expected, caption: null });
  });

  it('does not change the results of a model', () => {
    const row = {
      ...ROW,
      labels: ['cat', 'animal'],
      generatedLabels: [
        { label: 'cat', confidence: 0.9, given: true },
        { label: 'animal', confidence: 0.8, given: false },
      ],
    };
    expect(annotated(row, { labels: ['animal'] }, 'replace')).toMatchObject({
      labels: ['animal', 'cat'],
      generatedLabels: [
        { label: 'cat', given: false },
        { label: 'animal', given: true },
      ],
    });
  });
});
