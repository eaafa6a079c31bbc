import type { PublishedVersion } from '../../../common/engine/media-table/later-labels';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import { versionName } from '../../../common/engine/media-table/table-version';
import { DamagedDataError } from '../../../common/platform/storage/object-store';
import { BoundedCache, type CacheUsage } from '../../../common/platform/cache/bounded-cache';
import type { BuiltSegment } from '../../../common/engine/annotations/segment-builder';
import { ID_WORDS, type ReadShapes, type Segment, type StoredBlock } from '../../../common/engine/annotations/segment';
import type { DatasetPointer } from '../../datasets';
import type { AnnotationFiles } from './annotation-files';
import {
  GROUND_TRUTH,
  IMPORTED_PREDICTIONS,
  NO_SHAPES,
  sourceNamed,
  withSource,
  type AnnotationSource,
  type AnnotationState,
  type SegmentRecord,
} from './domain/annotation-state';
import { MediaIds } from './domain/media-ids';
import { LaterTruth } from './later-truth';
import type { AnnotationStateRepository } from './persistence/annotation-state.repository';
import { IDS_AT_ONCE, PlacedSource } from './placed-source';
import { FilePart, type SourcePart } from './source-part';
import { loadTableSources, modelSources, type TableSources } from './table-sources';

/** States are short lists. */
const MOST_STATES = 1_000;
/** Each may have an index of labels. */
const MOST_TRUTHS = 8;

/** What a table without annotations has. */
export const NO_ANNOTATIONS: Pick<AnnotationState, 'sources'> = { sources: [] };

type LaterVersion = PublishedVersion & Partial<SourcesPointer>;

type SourcesPointer = Pick<DatasetPointer, 'annotationState' | 'enrichments'>;

/** What sources say about published versions, in memory, within a budget of bytes that all datasets share. */
export class SourceAnnotations {
  private readonly states = new BoundedCache<AnnotationState>(MOST_STATES);
  private readonly segments: BoundedCache<Segment>;
  private readonly shapes: BoundedCache<Buffer>;
  private readonly ids: BoundedCache<MediaIds>;
  private readonly placed: BoundedCache<PlacedSource>;
  private readonly tables: BoundedCache<TableSources>;
  private readonly truths: BoundedCache<{ readonly version: string; readonly truth: LaterTruth }>;

  constructor(
    private readonly repository: Pick<AnnotationStateRepository, 'find'>,
    private readonly files: Pick<AnnotationFiles, 'read' | 'shapesOf'>,
    budgetBytes: number,
  ) {
    this.segments = new BoundedCache(budgetBytes / 8, ({ bytes }) => bytes, { keepsLast: true });
    this.ids = new BoundedCache(budgetBytes / 4, ({ bytes }) => bytes, { keepsLast: true });
    this.shapes = new BoundedCache(budgetBytes / 8, ({ byteLength }) => byteLength);
    this.placed = new BoundedCache((budgetBytes * 3) / 8, ({ bytes }) => bytes, { keepsLast: true });
    this.tables = new BoundedCache(budgetBytes / 8, bytesOf, { keepsLast: true });
    this.truths = new BoundedCache(MOST_TRUTHS);
  }

  get usage(): CacheUsage {
    const { segments, shapes, ids, placed, tables } = this;
    const bytes = [segments, shapes, ids, placed, tables].reduce((sum, { weight }) => sum + weight, 0);
    return { ...segments.usage, bytes };
  }

  async stateOf({
    annotationState: id,
  }: Pick<DatasetPointer, 'annotationState'>): Promise<Pick<AnnotationState, 'sources'>> {
    if (id === null) return NO_ANNOTATIONS;
    return this.states.getOrLoad(id, async () => {
      const state = await this.repository.find(id);
      if (state === undefined) throw new DamagedDataError(`The list of annotation sources ${id}`);
      return state;
    });
  }

  idsOf(table: MediaTable): Promise<MediaIds> {
    return this.ids.getOrLoad(versionName(table.at), () => loadIds(table));
  }

  /** All sources of a version by name, those of its table too. */
  async all(pointer: SourcesPointer, table: MediaTable): Promise<readonly PlacedSource[]> {
    let { sources } = await this.stateOf(pointer);
    for (const name of (await this.tableSources(pointer, table)).keys())
      sources = withSource(sources, name, sourceNamed(sources, name) ?? tableSource(name));
    return Promise.all(sources.map((source) => this.place(source, pointer, table)));
  }

  /** The same with the number of their annotations. */
  async list(pointer: SourcesPointer, table: MediaTable): Promise<readonly AnnotationSource[]> {
    const placed = await this.all(pointer, table);
    return Promise.all(
      placed.map(async (of) =>
        isSourceOfTable(pointer, of.source.name) ? { ...of.source, counts: await of.counts() } : of.source,
      ),
    );
  }

  /** Of all sources of a version, those of its table too. */
  async names(pointer: SourcesPointer, table: MediaTable): Promise<string[]> {
    const { sources } = await this.stateOf(pointer);
    return [...(await this.tableSources(pointer, table)).keys(), ...sources.map(({ name }) => name)];
  }

  async has(pointer: SourcesPointer, name: string): Promise<boolean> {
    return isSourceOfTable(pointer, name) || sourceNamed((await this.stateOf(pointer)).sources, name) !== undefined;
  }

  /** Undefined if there is no source of this name. */
  async open(pointer: SourcesPointer, table: MediaTable, name: string): Promise<PlacedSource | undefined> {
    const known = sourceNamed((await this.stateOf(pointer)).sources, name);
    const source = known ?? (isSourceOfTable(pointer, name) ? tableSource(name) : undefined);
    return source && this.place(source, pointer, table);
  }

  place(source: AnnotationSource, pointer: SourcesPointer, table: MediaTable): Promise<PlacedSource> {
    const version = versionName(table.at);
    return this.placed.getOrLoad(placedKey(version, source), async () => {
      const parts: SourcePart[] = [];
      if (isSourceOfTable(pointer, source.name)) {
        const own = (await this.tableSources(pointer, table)).get(source.name);
        if (own !== undefined) parts.push(own);
      }
      const before = this.placed.findLast((other) => other.version === version && other.source.name === source.name);
      for (const { id } of source.segments) parts.push(before?.partOf(id) ?? (await this.filePart(id)));
      const placed = await PlacedSource.over(source, parts, { version, ids: await this.idsOf(table) }, before);
      // Each change makes a new one, and nearly all of it is the same.
      if (before !== undefined && before.startOf(source, parts) > 0)
        this.placed.delete(placedKey(version, before.source));
      return placed;
    });
  }

  /** The table with the labels that people changed since it was written; undefined if there are none. */
  async relabelled(at: LaterVersion, table: MediaTable): Promise<MediaTable | undefined> {
    const truth = await this.laterTruth(at, table);
    return truth && table.withLabels(truth);
  }

  /** What people changed since the table was written; undefined if they changed nothing. */
  async laterTruth(
    { annotationState = null, enrichments = {} }: LaterVersion,
    table: MediaTable,
  ): Promise<LaterTruth | undefined> {
    const pointer = { annotationState, enrichments };
    const source = sourceNamed((await this.stateOf(pointer)).sources, GROUND_TRUTH);
    if (source === undefined) return undefined;
    const version = versionName(table.at);
    const key = [version, ...source.segments.map(({ id }) => id)].join(' ');
    const { truth } = await this.truths.getOrLoad(key, async () => {
      const [placed, sources, ids] = [
        await this.place(source, pointer, table),
        await this.tableSources(pointer, table),
        await this.idsOf(table),
      ];
      const before = this.truths.findLast((other) => other.version === version);
      const tables = { table: sources.get(GROUND_TRUTH)!, found: sources.get(modelSources(enrichments).labels) };
      return { version, truth: await LaterTruth.over(placed, tables, ids, before?.truth) };
    });
    return truth;
  }

  private tableSources({ enrichments }: SourcesPointer, table: MediaTable): Promise<TableSources> {
    const names = modelSources(enrichments);
    const key = [versionName(table.at), names.labels, names.objects].join(' ');
    return this.tables.getOrLoad(key, async () => loadTableSources(table, await this.idsOf(table), names));
  }

  /** Keeps a file that was just written, so that it need not be read. */
  keep(id: string, { segment, shapes }: BuiltSegment): void {
    this.segments.set(id, segment);
    this.shapes.set(id, shapes);
  }

  /** What files say about pictures of the table, the latest about each, except about some rows. */
  async *latestOf(
    files: readonly SegmentRecord[],
    table: MediaTable,
    except: Iterable<number> = [],
  ): AsyncGenerator<StoredBlock> {
    const ids = await this.idsOf(table);
    const seen = OrdinalSet.none(table.rows);
    for (const row of except) seen.add(row);
    for (const { id } of files.toReversed()) {
      const segment = await this.segment(id);
      const pictures: number[] = [];
      await inSlices(
        segment.pictures,
        (start, end) => {
          for (let picture = start; picture < end; picture++) {
            const row = ids.rowOf(segment.columns.ids, picture);
            if (row < 0 || seen.has(row)) continue;
            seen.add(row);
            pictures.push(picture);
          }
        },
        IDS_AT_ONCE,
      );
      yield* segment.storedBlocks(pictures, this.files.shapesOf(id));
    }
  }

  private async filePart(id: string): Promise<FilePart> {
    const segment = await this.segment(id);
    return new FilePart(id, segment, this.shapesOf(id, segment));
  }

  /** Files that are read as a whole are kept: who changes pictures anywhere in a source goes on doing so. */
  private shapesOf(id: string, { shapesBytes }: Segment): ReadShapes {
    const read = this.files.shapesOf(id);
    return async (start, end) => {
      const isWhole = end - start === shapesBytes - 1;
      const whole = isWhole ? await this.shapes.getOrLoad(id, () => read(start, end)) : this.shapes.get(id);
      return whole?.subarray(start, end + 1) ?? read(start, end);
    };
  }

  /** The rows of which files say something. */
  async rowsOf(files: readonly SegmentRecord[], table: MediaTable): Promise<number[]> {
    const ids = await this.idsOf(table);
    const rows = new Set<number>();
    for (const { id } of files) {
      const { columns, pictures } = await this.segment(id);
      for (let picture = 0; picture < pictures; picture++) rows.add(ids.rowOf(columns.ids, picture));
    }
    return [...rows].filter((row) => row >= 0);
  }

  private segment(id: string): Promise<Segment> {
    return this.segments.getOrLoad(id, () => this.files.read(id));
  }
}

const bytesOf = (sources: TableSources): number =>
  Array.from(sources.values()).reduce((sum, { bytes }) => sum + bytes, 100);

const placedKey = (version: string, { name, segments }: AnnotationSource): string =>
  [version, name, ...segments.map(({ id }) => id)].join(' ');

/** Whether the media table itself says something of a source. */
export const isSourceOfTable = ({ enrichments }: Pick<DatasetPointer, 'enrichments'>, name: string): boolean =>
  name === GROUND_TRUTH || Object.values(modelSources(enrichments)).includes(name);

const tableSource = (name: string): AnnotationSource => ({
  name,
  kind: name === GROUND_TRUTH ? 'truth' : 'predictions',
  modelId: name === GROUND_TRUTH || name === IMPORTED_PREDICTIONS ? null : name,
  createdAt: null,
  counts: NO_SHAPES,
  segments: [],
});

const DASH = 0x2d;
const NINE = 0x39;

async function loadIds(table: MediaTable): Promise<MediaIds> {
  const words = new Uint32Array(table.rows * ID_WORDS);
  for await (const { first, count, bytes, bounds } of table.readTexts('id'))
    for (let row = 0; row < count; row++)
      readId(bytes, bounds[row]!, bounds[row + 1]!, words, (first + row) * ID_WORDS);
  return MediaIds.of(words);
}

/** Reads a UUID, without a text for each. */
function readId(bytes: Uint8Array, start: number, end: number, words: Uint32Array, at: number): void {
  let digits = 0;
  for (let i = start; i < end; i++) {
    const code = bytes[i]!;
    if (code === DASH) continue;
    const digit = code <= NINE ? code - 48 : code - 87;
    words[at + (digits >> 3)] = (words[at + (digits >> 3)]! << 4) | digit;
    digits += 1;
  }
}
