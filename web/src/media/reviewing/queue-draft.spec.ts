import { listed } from './listed';
import { bodyOf, EMPTY_DRAFT, isWhole, itemsOf, knownChoice, takesHoneypots } from './queue-draft';

describe('a new review queue', () => {
  it('has the labels that look wrong first, or annotations within a range', () => {
    expect(itemsOf(EMPTY_DRAFT)).toEqual({
      query: { vql: [{ issues: { op: 'issue', value: ['mislabels'] } }], sort: '-mislabels', limit: 500 },
    });
    const source = { ...EMPTY_DRAFT, of: 'source', source: 'detector', limit: '20' } as const;
    expect(itemsOf(source)).toEqual({ annotations: { source: 'detector', order: 'confidence', limit: 20 } });
    expect(itemsOf({ ...EMPTY_DRAFT, of: 'view', view: 'v' })).toEqual({ view_id: 'v' });
    expect(itemsOf({ ...source, label: 'boat', least: '25' }).annotations).toMatchObject({
      label: 'boat',
      confidence: [0.25, 1],
    });
    expect(itemsOf({ ...source, most: '40' }).annotations).toMatchObject({ confidence: [0, 0.4] });
  });

  it('is for all editors without a due date, unless it says otherwise', () => {
    const items = { media_ids: ['a'] };
    const draft = { ...EMPTY_DRAFT, name: 'Boats', options: 'boat, ,house' };
    expect(bodyOf(draft, items, [])).toEqual({
      ...{ name: 'Boats', media_ids: ['a'], agreement: 1, consensus: 'vote', reviewed: false },
      question: { type: 'labels', options: ['boat', 'house'] },
    });
    const due = new Date('2026-12-24T18:00');
    expect(
      bodyOf({ ...draft, people: ['ana@example.com'], due: '2026-12-24T18:00', text: ' Boat? ' }, items, []),
    ).toMatchObject({
      ...{ people: ['ana@example.com'], due_at: due.toISOString() },
      question: { text: 'Boat?' },
    });
  });

  it('has options on one line, or on a line each', () => {
    expect(listed(' boat, ,house')).toEqual(['boat', 'house']);
    expect(listed('tabby, tabby cat\nboat\n')).toEqual(['tabby, tabby cat', 'boat']);
  });

  it('takes no options of a question without them', () => {
    expect(bodyOf({ ...EMPTY_DRAFT, type: 'accept', options: 'left over' }, {}, []).question.options).toEqual([]);
  });

  it('needs a name, a source, and options to choose from', () => {
    const named = { ...EMPTY_DRAFT, name: 'Boats' };
    expect(isWhole(named, false)).toBe(true);
    expect(isWhole({ ...named, name: ' ' }, false)).toBe(false);
    expect(isWhole({ ...named, of: 'source' }, false)).toBe(false);
    expect(isWhole({ ...named, of: 'view' }, false)).toBe(false);
    expect(isWhole({ ...named, of: 'source' }, true)).toBe(true);
    expect(isWhole({ ...named, type: 'choose', options: 'boat' }, false)).toBe(false);
  });

  it('knows the answer of a medium with just one of the options', () => {
    expect(knownChoice(['boat', 'sea', 'boat'], ['boat', 'house'])).toBe('boat');
    expect(knownChoice(['boat', 'house'], ['boat', 'house'])).toBeUndefined();
    expect(knownChoice(['sea'], ['boat', 'house'])).toBeUndefined();
    expect(takesHoneypots({ ...EMPTY_DRAFT, type: 'choose', of: 'source' })).toBe(false);
    expect(takesHoneypots({ ...EMPTY_DRAFT, type: 'choose' })).toBe(true);
  });
});
