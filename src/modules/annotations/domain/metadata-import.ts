import type { TaskStatus } from '../../tasks';
import { ConflictError, NotFoundError } from '../../../common/platform/errors/domain-error';
import { MAX_METADATA_FIELDS, type MetadataField } from '../../datasets';
import type { SentAnnotation } from './annotation';
import { readValue, shown } from './custom-metadata';

export class FieldExistsError extends ConflictError {
  constructor({ name, type }: MetadataField) {
    super(
      `The field ${JSON.stringify(name)} already exists with the type ${type}. Send its values as annotations, or choose another name.`,
    );
  }
}

export class TooManyFieldsError extends ConflictError {
  constructor() {
    super(`The dataset has ${MAX_METADATA_FIELDS} fields, which is the limit.`);
  }
}

export class ValuesSentError extends ConflictError {
  constructor() {
    super('This task has values already. Send further values as annotations.');
  }
}

export class MetadataTaskNotFoundError extends NotFoundError {
  constructor() {
    super('Custom metadata task not found');
  }
}

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

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UUID_LENGTH = 36;

/** The rows of a request, of which those with a mistake fail alone. */
export class ReceivedValues {
  readonly good: SentAnnotation[] = [];
  readonly errors: RowError[] = [];
  errorCount = 0;
  private readonly ids = new Set<string>();

  constructor(
    private readonly field: MetadataField,
    rows: readonly unknown[],
  ) {
    for (const [row, each] of rows.entries()) {
      const reason = this.take(each, row);
      if (reason === undefined) continue;
      this.errorCount += 1;
      if (this.errors.length < MAX_SAMPLE_ERRORS) this.errors.push({ row, reason });
    }
  }

  /** Returns the reason if the row has a mistake. */
  private take(given: unknown, row: number): string | undefined {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return 'The row is not an object.';
    const { media_id: id, value } = given as Readonly<Record<string, unknown>>;
    if (typeof id !== 'string') return 'The row has no media_id.';
    const mediaId = id.length === UUID_LENGTH ? id.toLowerCase() : '';
    if (!UUID.test(mediaId)) return `The media_id ${shown(id)} is not a UUID.`;
    if (this.ids.has(mediaId)) return `The media_id ${mediaId} is in an earlier row, too.`;
    if (value === undefined || value === null) return 'The row has no value.';
    const read = readValue(this.field, value);
    if ('reason' in read) return `The value ${shown(value)} ${read.reason}.`;
    this.ids.add(mediaId);
    const { name, type } = this.field;
    this.good.push({ mediaId, row, metadata: [{ name, type, value: read.value }] });
    return undefined;
  }
}

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
