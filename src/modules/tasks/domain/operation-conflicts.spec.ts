import { assertNotBlocked, OPERATIONS } from './operation-conflicts';
import { TASK_TYPES } from './task';

describe('operation conflicts', () => {
  it.each(TASK_TYPES)('a running %s blocks deletion, with the message of the specification', (type) => {
    expect(() => assertNotBlocked('delete_dataset', [type])).toThrow(
      `Operation 'delete_dataset' is blocked while ${type} task is running`,
    );
  });

  it('lets what does not change media run beside an import of annotations', () => {
    const blocked = OPERATIONS.filter((operation) => {
      try {
        assertNotBlocked(operation, ['ANNOTATION_IMPORT']);
      } catch {
        return true;
      }
      return false;
    });
    const free = OPERATIONS.filter((operation) => !blocked.includes(operation));
    expect(free).toEqual(['import_annotations', 'snapshot', 'snapshot_clone']);
  });

  it('allows an operation when no task is running', () => {
    expect(() => assertNotBlocked('delete_dataset', [])).not.toThrow();
  });
});
