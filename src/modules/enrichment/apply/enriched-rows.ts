import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { PictureModelType } from '../../../common/engine/models/picture-model';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import type { ComparedRow, RowSource } from '../../ingestion/for-operations';
import type { Finding } from '../domain/findings';
import { withFinding } from '../domain/with-finding';
import type { AppliedChunk } from '../persistence/applied-chunk.repository';
import { readFindings } from './findings-file';

/** The chunks of findings of a model. */
export interface FoundChunks {
  readonly type: PictureModelType;
  readonly chunks: readonly AppliedChunk[];
}

/** The rows of a source with what models found in them. */
export class EnrichedRows implements RowSource {
  constructor(
    private readonly source: RowSource,
    private readonly store: ObjectStore,
    private readonly found: readonly FoundChunks[],
  ) {}

  get counts(): RowSource['counts'] {
    return this.source.counts;
  }

  async *rows(): AsyncGenerator<MediaRow> {
    const findings = this.found.map(({ type, chunks }) => new FindingsInOrder(type, readFindings(this.store, chunks)));
    for await (const row of this.source.rows()) {
      let enriched = row;
      for (const each of findings) enriched = withFinding(enriched, each.type, await each.of(row.id));
      yield enriched;
    }
    for (const each of findings) await each.assertRead();
  }

  comparedRows(): AsyncGenerator<ComparedRow> {
    return this.source.comparedRows();
  }
}

/** The findings of a model, read beside the rows that they are about. */
class FindingsInOrder {
  private next: Promise<IteratorResult<Finding>> | undefined;

  constructor(
    readonly type: PictureModelType,
    private readonly findings: AsyncGenerator<Finding>,
  ) {}

  /** Undefined for a row that the model did not look at. */
  async of(rowId: string): Promise<Finding | undefined> {
    this.next ??= this.findings.next();
    const next = await this.next;
    if (next.done === true || next.value.id !== rowId) return undefined;
    this.next = undefined;
    return next.value;
  }

  async assertRead(): Promise<void> {
    const { done } = await (this.next ??= this.findings.next());
    if (done !== true) throw new Error(`The findings of ${this.type} are not in the order of the rows`);
  }
}
