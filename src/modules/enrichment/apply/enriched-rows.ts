import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import type { ComparedRow, RowSource } from '../../ingestion/for-operations';
import type { AppliedType, Finding } from '../domain/findings';
import { withEncoding, withFinding, withFoundLabels } from '../domain/with-finding';
import type { AppliedChunk } from '../persistence/applied-chunk.repository';
import { readFindings } from './findings-file';
import { FoundObjects } from './found-objects';

/** The chunks of findings of a model. */
export interface FoundChunks {
  readonly type: AppliedType;
  readonly chunks: readonly AppliedChunk[];
  /** The rows of the source keep their results of before. */
  readonly toFoundOnly?: boolean | undefined;
}

/** The rows of a source with what models found in them, and after them the objects that were found. */
export class EnrichedRows implements RowSource {
  readonly counts: RowSource['counts'];
  private readonly objects: FoundObjects;

  constructor(
    private readonly source: RowSource,
    private readonly store: ObjectStore,
    private readonly found: readonly FoundChunks[],
  ) {
    this.objects = new FoundObjects(store, found.find(({ type }) => type === 'OBJECT_DETECTION')?.chunks ?? []);
    this.counts = { ...source.counts, objects: source.counts.objects + this.objects.count };
  }

  async *rows(): AsyncGenerator<MediaRow> {
    const applied = this.found.filter(({ type }) => type !== 'OBJECT_DETECTION');
    const ofFound = applied.map((each) => this.findingsIn(each));
    const ofAll = ofFound.filter((_, at) => applied[at]!.toFoundOnly !== true);
    for await (const row of this.source.rows()) yield withFindings(row, ofAll);
    for await (const row of this.objects.rows()) yield withFindings(row, ofFound);
    for (const each of ofFound) await each.assertRead();
  }

  async *comparedRows(): AsyncGenerator<ComparedRow> {
    const encodings = this.findingsOf('IMAGE_ENCODING');
    const labels = this.findingsOf('IMAGE_TAGGING');
    for await (const row of inTurn<ComparedRow>(this.source.comparedRows(), this.objects.rows())) {
      const encoding = await encodings.of(row.id);
      yield withFoundLabels(encoding === undefined ? row : withEncoding(row, encoding), await labels.of(row.id));
    }
    await encodings.assertRead();
    await labels.assertRead();
  }

  private findingsOf(wanted: AppliedType): FindingsInOrder {
    const chunks = this.found.find(({ type }) => type === wanted)?.chunks ?? [];
    return this.findingsIn({ type: wanted, chunks });
  }

  private findingsIn({ type, chunks }: FoundChunks): FindingsInOrder {
    return new FindingsInOrder(type, readFindings<AppliedType>(this.store, chunks));
  }
}

async function* inTurn<Row>(first: AsyncIterable<Row>, second: AsyncIterable<Row>): AsyncGenerator<Row> {
  yield* first;
  yield* second;
}

async function withFindings(row: MediaRow, findings: readonly FindingsInOrder[]): Promise<MediaRow> {
  let enriched = row;
  for (const each of findings) enriched = withFinding(enriched, each.type, await each.of(row.id));
  return enriched;
}

/** The findings of a model, read beside the rows that they are about. */
class FindingsInOrder {
  private next: Promise<IteratorResult<Finding>> | undefined;

  constructor(
    readonly type: AppliedType,
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
