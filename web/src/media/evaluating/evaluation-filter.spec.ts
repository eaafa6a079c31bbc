import { evaluationFilterOf, evaluationFilterText, evaluationIn, toggledOutcome, vqlOf } from './evaluation-filter';

const ID = '6f0f7e9a-8d0c-4c53-9f0c-0a1e4b6d7c11';

describe('filters by the outcome of an evaluation', () => {
  const all = {
    ...{
      evaluation: ID,
      outcomes: ['fp'] as const,
      kinds: ['wrong_class'] as const,
      labels: ['cat'],
      predicted: ['dog'],
    },
    ...{ iou: [0.5, 1] as const, confidence: 0.4, betterIn: 'other' },
  };

  it('are read as they were written', () => {
    expect(evaluationFilterOf(vqlOf(all))).toEqual(all);
    expect(vqlOf({ evaluation: ID, outcomes: ['tp'] })).toEqual({
      evaluation: { op: 'is', value: ['tp'], evaluation: ID },
    });
  });

  it('are found among others', () => {
    const other = { labels: { op: 'one_of' as const, value: ['cat'] } };
    expect(evaluationIn([other, vqlOf(all)])?.evaluation).toBe(ID);
    expect(evaluationIn([other])).toBeUndefined();
    for (const evaluation of [
      null,
      1,
      {},
      { evaluation: ID },
      { evaluation: ID, value: [] },
      { evaluation: ID, value: [1] },
    ])
      expect(evaluationFilterOf({ evaluation })).toBeUndefined();
    expect(evaluationFilterOf({ evaluation: { op: 'is', value: 'fn', evaluation: ID, label: 'cat' } })).toMatchObject({
      ...{ outcomes: ['fn'], labels: ['cat'] },
    });
  });

  it('get further outcomes, and lose them', () => {
    const other = { labels: { op: 'one_of' as const, value: ['cat'] } };
    const both = toggledOutcome([vqlOf(all), other], ID, 'fn');
    expect(both).toEqual([other, vqlOf({ evaluation: ID, outcomes: ['fp', 'fn'], confidence: 0.4 })]);
    expect(toggledOutcome(toggledOutcome(both, ID, 'fn'), ID, 'fp')).toEqual([other]);
    expect(toggledOutcome([other], ID, 'tp')).toEqual([other, vqlOf({ evaluation: ID, outcomes: ['tp'] })]);
  });

  it('are said in words', () => {
    expect(evaluationFilterText(all, 'night')).toBe(
      'Evaluation night: wrong class, of cat, predicted dog, IoU 0.50 to 1.00, from 40%, right in the other evaluation',
    );
    expect(evaluationFilterText({ evaluation: ID, outcomes: ['fp', 'fn'] }, undefined)).toBe(
      'Evaluation: false positive or false negative',
    );
  });
});
