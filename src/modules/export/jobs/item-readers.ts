import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import {
  DuplicateGroupsCache,
  TagAssignmentsCache,
  clusterId,
  type Clusterings,
  type DuplicateGroups,
  type TagAssignments,
  SourceAnnotations,
  type PlacedSource,
} from '../../versions';
import type { ExportedVersion, RunningExport } from '../domain/export';
import { exportedRows } from '../exported-rows';
import { kindCode } from '../../../common/engine/media-table/media-schema';
import { GenerationRepository, type NamedTag } from '../../datasets';
import type { Annotation } from '../../../common/engine/annotations/annotation';
import {
  ITEM_FIELDS,
  OBJECT_FIELDS,
  type DuplicateMembership,
  type ItemRow,
  type MediaItem,
  type MediaObject,
} from '../domain/media-item';

interface ItemParts {
  readonly table: MediaTable;
  /** Of images. */
  readonly clusterings: Clusterings;
  readonly assignments: TagAssignments;
  readonly tags: readonly NamedTag[];
  readonly withEmbeddings: boolean;
  readonly duplicates: DuplicateGroups;
  readonly duplicateSimilarity: number;
  readonly source: PlacedSource | undefined;
  /** The selected rows and their images and frames; undefined for the whole table. */
  readonly scope: { readonly selected: OrdinalSet; readonly items: OrdinalSet } | undefined;
}

type ReadRow = ItemRow & { readonly embedding?: Float32Array | null };

interface PlacedRow {
  readonly ordinal: number;
  readonly row: ReadRow;
}

const WITH_EMBEDDING = [...ITEM_FIELDS, 'embedding'] as const;

const BATCH_ROWS = 2_048;
/** Below this share of a table, rows are read individually instead of by a scan. */
const FEW = 1 / 16;
const NO_OBJECTS: readonly MediaObject[] = [];
const NO_ANNOTATIONS: readonly Annotation[] = [];
const NO_TAGS: readonly NamedTag[] = [];

/** Reads the items of an export in batches. */
class ItemReader {
  private readonly tagById: ReadonlyMap<string, NamedTag>;
  private lastCluster: { readonly number: number; readonly id: string } | undefined;

  private constructor(
    private readonly parts: ItemParts,
    /** Rows of objects, by image. */
    private readonly objectsOf: ReadonlyMap<string, readonly number[]>,
  ) {
    this.tagById = new Map(parts.tags.map((tag) => [tag.id, tag]));
  }

  static async over(parts: ItemParts): Promise<ItemReader> {
    return new ItemReader(parts, await objectsByImage(parts.table));
  }

  private get fields(): typeof ITEM_FIELDS | typeof WITH_EMBEDDING {
    return this.parts.withEmbeddings ? WITH_EMBEDDING : ITEM_FIELDS;
  }

  get source(): PlacedSource | undefined {
    return this.parts.source;
  }

  async *walk(): AsyncGenerator<readonly MediaItem[]> {
    const { scope, table } = this.parts;
    const isFew = scope !== undefined && scope.items.size < table.rows * FEW;
    for await (const placed of isFew ? this.picked(scope.items) : this.scanned()) {
      if (placed.length === 0) continue;
      const objects = await this.readObjects(placed);
      const annotations = await this.parts.source?.annotationsOf(placed.map(({ ordinal }) => ordinal));
      yield placed.map(({ ordinal, row }, at) => ({
        ...this.item(ordinal, row, objects),
        annotations: annotations?.[at] ?? NO_ANNOTATIONS,
      }));
      await setImmediate();
    }
  }

  private async *picked(items: OrdinalSet): AsyncGenerator<PlacedRow[]> {
    const ordinals = items.toArray();
    for (let start = 0; start < ordinals.length; start += BATCH_ROWS) {
      const part = ordinals.subarray(start, start + BATCH_ROWS);
      const rows = await this.parts.table.takeRows(part, this.fields);
      yield rows.map((row, at) => ({ row, ordinal: part[at]! }));
    }
  }

  private async *scanned(): AsyncGenerator<PlacedRow[]> {
    const { table, scope } = this.parts;
    let first = 0;
    for await (const rows of table.readRows(this.fields, { batchRows: BATCH_ROWS })) {
      yield rows.flatMap((row, at) => {
        const ordinal = first + at;
        const isItem = row.kind === 'IMAGE' || row.kind === 'FRAME';
        return isItem && (scope?.items.has(ordinal) ?? true) ? { row, ordinal } : [];
      });
      first += rows.length;
    }
  }

  private item(
    ordinal: number,
    row: ReadRow,
    objects: ReadonlyMap<number, MediaObject>,
  ): Omit<MediaItem, 'annotations'> {
    const own = this.objectsOf.get(row.id);
    return {
      row,
      clusterId: this.clusterOf(row.clusters[0]),
      objects:
        own === undefined ? NO_OBJECTS : this.wanted(own, ordinal).flatMap((each) => objects.get(each) ?? NO_OBJECTS),
      tags: this.tagsOf(ordinal),
      duplicates: this.duplicatesOf(ordinal),
      embedding: row.embedding ?? null,
      imageName: null,
      imageError: null,
    };
  }

  private async readObjects(placed: readonly PlacedRow[]): Promise<ReadonlyMap<number, MediaObject>> {
    const ordinals = placed.flatMap(({ row, ordinal }) => {
      const own = this.objectsOf.get(row.id);
      return own === undefined ? [] : this.wanted(own, ordinal);
    });
    const found = new Map<number, MediaObject>();
    for (let start = 0; start < ordinals.length; start += BATCH_ROWS) {
      const part = ordinals.slice(start, start + BATCH_ROWS);
      const rows = await this.parts.table.takeRows(part, OBJECT_FIELDS);
      rows.forEach((row, at) => found.set(part[at]!, { row, tags: this.tagsOf(part[at]!) }));
    }
    return found;
  }

  /** All objects of a selected image; otherwise only its selected objects. */
  private wanted(objects: readonly number[], image: number): readonly number[] {
    const selected = this.parts.scope?.selected;
    if (selected === undefined || selected.has(image)) return objects;
    return objects.filter((object) => selected.has(object));
  }

  private tagsOf(ordinal: number): readonly NamedTag[] {
    const ids = this.parts.assignments.of(ordinal);
    return ids.length === 0 ? NO_TAGS : ids.flatMap((id) => this.tagById.get(id) ?? []);
  }

  /** Cached, because rows of a cluster are contiguous. */
  private clusterOf(number: number): string | null {
    if (number < 0) return null;
    if (this.lastCluster?.number !== number) {
      const id = clusterId(this.parts.clusterings, { entityType: 'IMAGES', level: 0, cluster: number });
      this.lastCluster = { number, id };
    }
    return this.lastCluster.id;
  }

  private duplicatesOf(ordinal: number): DuplicateMembership | null {
    const { duplicates, duplicateSimilarity: similarity, clusterings } = this.parts;
    const group = duplicates.groupOf[ordinal]!;
    if (group < 0) return null;
    const centre = duplicates.centre[group]!;
    return { similarity, groupId: clusterId(clusterings, { entityType: 'IMAGES', similarity, centre }) };
  }
}

/** The default similarity of the search for duplicates. */
const DUPLICATE_SIMILARITY = 1;

/** Opens the version of an export. */
@Injectable()
export class ItemReaders {
  constructor(
    private readonly tables: MediaTableStore,
    private readonly assignments: TagAssignmentsCache,
    private readonly duplicates: DuplicateGroupsCache,
    private readonly annotations: SourceAnnotations,
    private readonly generations: GenerationRepository,
  ) {}

  async open({
    version,
    selection,
    embeddingModel,
    source,
  }: Pick<RunningExport, 'version' | 'selection' | 'embeddingModel' | 'source'>): Promise<ItemReader> {
    const { generation, clusteringId, tags } = version;
    const table = await this.tables.open(version);
    return ItemReader.over({
      table,
      clusterings: { generation, clusteringId, objectClusteringId: null },
      tags,
      withEmbeddings: embeddingModel !== null,
      assignments: await this.assignments.open(version),
      duplicates: await this.duplicates.copies(table, 'IMAGES'),
      duplicateSimilarity: DUPLICATE_SIMILARITY,
      source: source === null ? undefined : await this.openSource(version, table, source),
      scope: selection === null ? undefined : await scopeOf(table, selection),
    });
  }

  private async openSource(
    version: ExportedVersion,
    table: MediaTable,
    name: string,
  ): Promise<PlacedSource | undefined> {
    const [pointer] = await this.generations.pointersInto([version]);
    return this.annotations.open(pointer!, table, name);
  }
}

async function scopeOf(table: MediaTable, selection: Uint8Array) {
  // The bytes of a database row may be unaligned; copy them for 32-bit access.
  const words = new Uint32Array(Math.ceil(table.rows / 32));
  new Uint8Array(words.buffer).set(selection);
  const selected = OrdinalSet.over(table.rows, words);
  return { selected, items: await exportedRows(table, selected) };
}

async function objectsByImage(table: MediaTable): Promise<ReadonlyMap<string, readonly number[]>> {
  const found = new Map<string, number[]>();
  if ((await table.countRows(`kind = ${kindCode('OBJECT')}`)) === 0) return found;
  let ordinal = 0;
  for await (const rows of table.readRows(['kind', 'parentId'], { batchRows: BATCH_ROWS })) {
    for (const { kind, parentId } of rows) {
      if (kind === 'OBJECT' && parentId !== null) {
        const own = found.get(parentId);
        if (own === undefined) found.set(parentId, [ordinal]);
        else own.push(ordinal);
      }
      ordinal += 1;
    }
  }
  return found;
}
