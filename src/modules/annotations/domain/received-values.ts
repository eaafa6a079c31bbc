import type { MetadataField } from '../../datasets';
import type { SentAnnotation } from './annotation';
import { shown } from './custom-metadata';
import { readValue } from './field-value';
import { MAX_SAMPLE_ERRORS, type RowError } from './metadata-import';

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
