import { assertNotBlocked } from './operation-conflicts';
import { TASK_TYPES } from './task';

describe('operation conflicts', () => {
  it.each(TASK_TYPES)('a running %s blocks deletion, with the message of the specification', (type) => {
    expect(() => assertNotBlocked('delete_dataset', [type])).toThrow(
      `Operation 'delete_dataset' is blocked while ${type} task is running`,
    );
  });

  it('allows an operation when no task is running', () => {
    expect(() => assertNotBlocked('delete_dataset', [])).not.toThrow();
  });
});
