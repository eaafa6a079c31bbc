import { randomUUID } from 'node:crypto';
import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import type { ComparedRow, RowSource } from '../../tables';
import {
  KINDS_SEEN,
  type AppliedType,
  type Finding,
  withEncoding,
  withFinding,
  withFoundLabels,
} from '../domain/findings';
import type { AppliedChunk } from '../persistence/applied-chunk.repository';
import { findingLines, findingOf, readFindings } from './findings-file';
import { FoundObjects, type ObjectOrder } from './found-objects';

const WRITTEN_AT_ONCE = 2 ** 20;

/** Lines on disk, each read by its number. */
export class KeptLines {
  private constructor(
    private readonly file: FileHandle,
    /** Line i is from bounds[i] to bounds[i + 1]. */
    private readonly bounds: Float64Array,
  ) {}

  /** The file has no name, so that nothing of it stays when the process is killed. */
  static async of(folder: string, lines: AsyncIterable<string>, count: number): Promise<KeptLines> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, `findings-${randomUUID()}`);
    const file = await open(path, 'wx+');
    await unlink(path);
    try {
      return new KeptLines(file, await written(file, lines, count));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async line(number: number): Promise<string> {
    const [from, to] = [this.bounds[number]!, this.bounds[number + 1]!];
    const bytes = Buffer.allocUnsafe(to - from);
    for (let at = 0; at < bytes.length;) {
      const { bytesRead } = await this.file.read(bytes, at, bytes.length - at, from + at);
      if (bytesRead === 0) throw new Error('The file of findings was cut off');
      at += bytesRead;
    }
    return bytes.toString();
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}

/** The chunks of findings of a model. */
export interface FoundChunks {
  readonly type: AppliedType;
  readonly chunks: readonly AppliedChunk[];
  /** The rows of the source keep their results of before. */
  readonly toFoundOnly?: boolean | undefined;
}

/** Objects of the source that models looked at in another order than that of its rows. */
export interface OrderedObjects {
  readonly order: ObjectOrder;
  /** Keeps the findings in objects until the rows are written. */
  readonly folder: string;
}

/** The rows of a source with the findings of models, followed by the found objects. */
export class EnrichedRows implements RowSource {
  readonly counts: RowSource['counts'];
  private readonly objects: FoundObjects;
  private readonly kept = new Map<AppliedType, Promise<KeptLines>>();

  constructor(
    private readonly source: RowSource,
    private readonly store: ObjectStore,
    private readonly found: readonly FoundChunks[],
    private readonly ordered?: OrderedObjects,
  ) {
    this.objects = new FoundObjects(store, found.find(({ type }) => type === 'OBJECT_DETECTION')?.chunks ?? []);
    this.counts = { ...source.counts, objects: source.counts.objects + this.objects.count };
  }

  async *rows(): AsyncGenerator<MediaRow> {
    const applied = this.found.filter(({ type }) => type !== 'OBJECT_DETECTION');
    const ofFound = applied.map((each) => this.findingsIn(each));
    const ofAll = ofFound.filter((_, at) => applied[at]!.toFoundOnly !== true);
    for await (const [row, turn] of this.withTurns(this.withMatched(this.source.rows())))
      yield withFindings(row, ofAll, turn);
    for (const each of ofFound) await each.toFoundObjects();
    for await (const row of this.objects.rows()) yield withFindings(row, ofFound);
    for (const each of ofFound) await each.assertRead();
  }

  async *comparedRows(): AsyncGenerator<ComparedRow> {
    const encodings = this.findingsOf('IMAGE_ENCODING');
    const labels = this.findingsOf('IMAGE_TAGGING');
    const compared = async (row: ComparedRow, turn?: number): Promise<ComparedRow> => {
      const encoding = await encodings.of(row.id, turn);
      const encoded = encoding === undefined ? row : withEncoding(row, encoding);
      return withFoundLabels(encoded, await labels.of(row.id, turn));
    };
    for await (const [row, turn] of this.withTurns(this.source.comparedRows())) yield await compared(row, turn);
    for (const each of [encodings, labels]) await each.toFoundObjects();
    for await (const row of this.objects.rows()) yield await compared(row);
    for (const each of [encodings, labels]) await each.assertRead();
  }

  /** Rows cannot be read after that. */
  async close(): Promise<void> {
    for (const lines of this.kept.values()) await lines.then((opened) => opened.close()).catch(() => undefined);
  }

  /** A detector's matched objects replace those of the detector before it. */
  private async *withMatched(rows: AsyncIterable<MediaRow>): AsyncGenerator<MediaRow> {
    if (!this.found.some(({ type }) => type === 'OBJECT_DETECTION')) {
      yield* rows;
      return;
    }
    const matched = this.objects.matched();
    for await (const row of rows) yield { ...row, matchedObjects: (await matched.of(row.id)) ?? null };
    await matched.assertRead();
  }

  /** With each object of the source, when models looked at it, if not in the order of the rows. */
  private async *withTurns<Row extends Pick<MediaRow, 'kind'>>(
    rows: AsyncIterable<Row>,
  ): AsyncGenerator<[Row, turn: number | undefined]> {
    let nth = 0;
    for await (const row of rows) yield [row, row.kind === 'OBJECT' ? this.ordered?.order.turnOf(nth++) : undefined];
  }

  private findingsOf(wanted: AppliedType): FindingsOfRows {
    return this.findingsIn(this.found.find(({ type }) => type === wanted) ?? { type: wanted, chunks: [] });
  }

  private findingsIn({ type, chunks, toFoundOnly }: FoundChunks): FindingsOfRows {
    const read = (part: { from?: number; to?: number }) => readFindings<AppliedType>(this.store, chunks, part);
    const { ordered } = this;
    if (ordered === undefined || toFoundOnly === true || chunks.length === 0 || !KINDS_SEEN[type].includes('OBJECT'))
      return new FindingsOfRows(type, read);
    const { images, frames } = this.source.counts;
    const from = KINDS_SEEN[type].includes('IMAGE') ? images + frames : 0;
    const to = from + ordered.order.count;
    return new FindingsOfRows(type, read, { from, to, lines: () => this.linesOf(type, chunks, ordered, from, to) });
  }

  private linesOf(
    type: AppliedType,
    chunks: readonly AppliedChunk[],
    { folder }: OrderedObjects,
    from: number,
    to: number,
  ): Promise<KeptLines> {
    let lines = this.kept.get(type);
    if (lines === undefined) {
      lines = KeptLines.of(folder, findingLines(this.store, chunks, { from, to }), to - from);
      this.kept.set(type, lines);
    }
    return lines;
  }
}

async function withFindings(row: MediaRow, findings: readonly FindingsOfRows[], turn?: number): Promise<MediaRow> {
  let enriched = row;
  for (const each of findings) enriched = withFinding(enriched, each.type, await each.of(row.id, turn));
  return enriched;
}

interface FindingsApart {
  readonly from: number;
  readonly to: number;
  /** Of objects, by their turn. */
  readonly lines: () => Promise<KeptLines>;
}

/** The findings of a model, read beside the rows that they are about; those of objects that have a turn by that. */
class FindingsOfRows {
  private next: Promise<IteratorResult<Finding>> | undefined;
  private findings: AsyncGenerator<Finding>;

  constructor(
    readonly type: AppliedType,
    private readonly read: (part: { from?: number; to?: number }) => AsyncGenerator<Finding>,
    private readonly apart?: FindingsApart,
  ) {
    this.findings = read(apart === undefined ? {} : { to: apart.from });
  }

  /** Undefined for a row that the model did not look at. */
  async of(rowId: string, turn?: number): Promise<Finding | undefined> {
    if (turn !== undefined && this.apart !== undefined) return this.ofTurn(rowId, turn, this.apart);
    this.next ??= this.findings.next();
    const next = await this.next;
    if (next.done === true || next.value.id !== rowId) return undefined;
    this.next = undefined;
    return next.value;
  }

  /** After the last row of the source. */
  async toFoundObjects(): Promise<void> {
    if (this.apart === undefined) return;
    await this.assertRead();
    this.findings = this.read({ from: this.apart.to });
    this.next = undefined;
  }

  async assertRead(): Promise<void> {
    const { done } = await (this.next ??= this.findings.next());
    if (done !== true) this.refuse();
  }

  private async ofTurn(rowId: string, turn: number, { lines }: FindingsApart): Promise<Finding> {
    const finding = findingOf(await (await lines()).line(turn));
    if (finding.id !== rowId) this.refuse();
    return finding;
  }

  private refuse(): never {
    throw new Error(`The findings of ${this.type} are not in the order of the rows`);
  }
}

async function written(file: FileHandle, lines: AsyncIterable<string>, count: number): Promise<Float64Array> {
  const bounds = new Float64Array(count + 1);
  let [waiting, waitingBytes, at] = [[] as Buffer[], 0, 0];
  const flush = async (): Promise<void> => {
    await file.appendFile(Buffer.concat(waiting));
    [waiting, waitingBytes] = [[], 0];
  };
  for await (const line of lines) {
    const bytes = Buffer.from(line);
    waiting.push(bytes);
    waitingBytes += bytes.length;
    bounds[at + 1] = bounds[at]! + bytes.length;
    at += 1;
    if (waitingBytes >= WRITTEN_AT_ONCE) await flush();
  }
  await flush();
  if (at !== count) throw new Error(`There are ${at} lines instead of ${count}`);
  return bounds;
}
