import type { TaskStatus } from '../../tasks';

export interface RowError {
  readonly reason: string;
  /** From 0. */
  readonly row: number;
}

/** Values of one declared field. */
export interface MetadataImport {
  readonly id: string;
  readonly datasetId: string;
  readonly fieldName: string;
  /** Null until values are sent. */
  readonly taskId: string | null;
  readonly insertedRows: number;
  readonly errorCount: number;
  /** The first of them. */
  readonly sampleErrors: readonly RowError[];
}

export const MAX_IMPORTED_ROWS = 100_000;
/** Errors in a report. */
export const MAX_SAMPLE_ERRORS = 100;

export const IMPORT_STATUSES = ['INIT', 'RUNNING', 'COMPLETED', 'COMPLETED_WITH_ERRORS', 'FAILED'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** `task` is the status of its task; undefined before values are sent. */
export function importStatus(task: TaskStatus | undefined, errorCount: number): ImportStatus {
  switch (task) {
    case undefined:
      return 'INIT';
    case 'INITIALIZING':
    case 'RUNNING':
      return 'RUNNING';
    case 'COMPLETED':
      return errorCount === 0 ? 'COMPLETED' : 'COMPLETED_WITH_ERRORS';
    case 'FAILED':
    case 'ABORTED':
      return 'FAILED';
  }
}
