import {
  DATASET_STATUSES,
  ForbiddenTransitionError,
  legacyStatus,
  nextStatus,
  TRANSITIONS,
  type DatasetEvent,
} from './dataset-status';

describe('dataset status', () => {
  const pairs = DATASET_STATUSES.flatMap((from) =>
    (Object.keys(TRANSITIONS) as DatasetEvent[]).map((event) => ({ from, event })),
  );

  it.each(pairs)('$from on $event changes as in the table, or is forbidden', ({ from, event }) => {
    const { from: allowed, to } = TRANSITIONS[event];
    if (allowed.includes(from)) expect(nextStatus(from, event)).toBe(to);
    else expect(() => nextStatus(from, event)).toThrow(ForbiddenTransitionError);
  });

  it('follows the specification from creation to READY', () => {
    expect(nextStatus('DRAFT', 'indexing-started')).toBe('INDEXING');
    expect(nextStatus('INDEXING', 'indexing-completed')).toBe('READY');
    expect(nextStatus('INDEXING', 'indexing-failed')).toBe('ERROR');
    expect(nextStatus('ERROR', 'indexing-retried')).toBe('INDEXING');
  });

  it('mirrors the status to the deprecated field', () => {
    expect(legacyStatus('PARTIAL INDEX')).toBe('PARTIAL_INDEX');
    expect(legacyStatus('READ ONLY')).toBe('UPDATING');
    expect(legacyStatus('READY')).toBe('READY');
  });
});
