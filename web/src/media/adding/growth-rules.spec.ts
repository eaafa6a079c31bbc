import { hasSource, isReindexable, obstacleOf } from './growth-rules';

describe('obstacles to adding media', () => {
  it.each([
    ['READY', null],
    ['PARTIAL INDEX', null],
    ['READ ONLY', 'busy'],
    ['INDEXING', 'busy'],
    ['DRAFT', 'draft'],
    ['ERROR', 'failed'],
  ] as const)('is, of a dataset that is %s, %s', (status, obstacle) => {
    expect(obstacleOf(status, true)).toBe(obstacle);
    expect(obstacleOf(status, false)).toBe('viewer');
  });
});

describe('offered actions', () => {
  it('include a sync if the dataset has a source, not an upload', () => {
    expect(['BUCKET', 'LOCAL_FOLDER', 'UPLOAD'].filter((type) => hasSource({ source_type: type }))).toEqual([
      'BUCKET',
      'LOCAL_FOLDER',
    ]);
  });

  it('include a reindex if media were added since the last one', () => {
    expect(isReindexable({ status_new: 'PARTIAL INDEX' })).toBe(true);
    expect(isReindexable({ status_new: 'READY' })).toBe(false);
  });
});
