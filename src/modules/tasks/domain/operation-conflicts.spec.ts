import { assertNotBlocked } from './operation-conflicts';
import { TASK_TYPES } from './task';

describe('operation conflicts', () => {
  it.each(TASK_TYPES)('a running %s blocks deletion, in the words of the specification', (type) => {
    expect(() => assertNotBlocked('delete_dataset', [type])).toThrow(
      `Operation 'delete_dataset' is blocked while ${type} task is running`,
    );
  });

  it('lets an operation pass when nothing runs', () => {
    expect(() => assertNotBlocked('delete_dataset', [])).not.toThrow();
  });
});
