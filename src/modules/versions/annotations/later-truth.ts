import type { Annotation } from '../../../common/engine/annotations/annotation';
import type { LaterLabels } from '../../../common/engine/media-table/later-labels';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import type { ExploreIndex } from '../clusters/domain/explore-index';
import { GROUND_TRUTH } from './domain/annotation-state';
import { objectId } from './domain/derived-ids';
import type { MediaIds } from './domain/media-ids';
import type { PlacedSource } from './placed-source';
import { LABEL_KIND, type SourcePart } from './source-part';
import type { TablePart } from './table-part';

const READ_AT_ONCE = 2_000;

/** The label of an object; null if people removed its annotation. */
type ObjectLabels = Map<number, string | null>;

interface Tables {
  /** What people say in the table. */
  readonly table: TablePart;
  /** The labels that a model found. */
  readonly found: TablePart | undefined;
}

/** The labels of pictures and objects that people changed after the table was written, by the source of what they say. */
export class LaterTruth implements LaterLabels {
  private index: { readonly of: ExploreIndex; readonly relabelled: Promise<ExploreIndex> } | undefined;

  private constructor(
    private readonly ids: MediaIds,
    private readonly placed: PlacedSource,
    private readonly tables: Tables,
    /** The rows of pictures that people changed. */
    private readonly pictures: readonly number[],
    /** Those that differ from the table. */
    private readonly objects: ObjectLabels,
  ) {}

  /** `before` is the truth at another time, over the same rows: pictures that have not changed are not read again. */
  static async over(
    placed: PlacedSource,
    { table, found }: Tables,
    ids: MediaIds,
    before?: LaterTruth,
  ): Promise<LaterTruth> {
    const objects: ObjectLabels = new Map();
    const toRead: number[] = [];
    const pictures = await placed.rowsWithout(table.id);
    for (const row of pictures) {
      const marked = table.objectsAt(row);
      if (marked.length === 0) continue;
      const place = placed.pictureAt(row)!;
      const earlier = before && laterPlace(before.placed, table, row);
      if (earlier?.part.id !== place.part.id || earlier.picture !== place.picture) toRead.push(row);
      else
        for (const { row: object } of marked) {
          const label = before!.objects.get(object);
          if (label !== undefined) objects.set(object, label);
        }
    }
    for (let at = 0; at < toRead.length; at += READ_AT_ONCE) {
      const rows = toRead.slice(at, at + READ_AT_ONCE);
      const lists = await placed.annotationsOf(rows);
      rows.forEach((row, i) => {
        const labelOf = objectLabels(ids.idOf(row), lists[i]!);
        for (const { row: object, label } of table.objectsAt(row)) {
          const now = labelOf(ids.idOf(object)) ?? null;
          if (now !== label) objects.set(object, now);
        }
      });
    }
    return new LaterTruth(ids, placed, { table, found }, pictures, objects);
  }

  of(id: string): readonly string[] | undefined {
    const row = this.ids.rowOfText(id);
    return row < 0 ? undefined : this.at(row);
  }

  /** Whether people changed what the table says about a picture. */
  isLater(row: number): boolean {
    return laterPlace(this.placed, this.tables.table, row) !== undefined;
  }

  /** The index with these labels. */
  over(index: ExploreIndex): Promise<ExploreIndex> {
    if (this.index?.of !== index) this.index = { of: index, relabelled: this.relabelled(index) };
    return this.index.relabelled;
  }

  private async relabelled(index: ExploreIndex): Promise<ExploreIndex> {
    const changed = new Map<number, readonly string[]>();
    for (const row of this.objects.keys()) changed.set(row, this.at(row)!);
    await inSlices(this.pictures.length, (start, end) => {
      for (const row of this.pictures.slice(start, end)) {
        const found = this.tables.found?.labelsAt(row) ?? [];
        changed.set(row, [...new Set([...this.at(row)!, ...found])]);
      }
    });
    return index.withLabels(await index.labels.with(changed));
  }

  private at(row: number): readonly string[] | undefined {
    const object = this.objects.get(row);
    if (object !== undefined) return object === null ? [] : [object];
    const place = laterPlace(this.placed, this.tables.table, row);
    return place && labelsIn(place.part, place.picture);
  }
}

/** An object has the id of its annotation, or one that is derived from it. */
function objectLabels(mediaId: string, annotations: readonly Annotation[]): (id: string) => string | undefined {
  const labels = new Map(annotations.map(({ id, label }) => [id, label]));
  let derived: ReadonlyMap<string, string> | undefined;
  return (id) =>
    labels.get(id) ??
    (derived ??= new Map(annotations.map(({ id: own, label }) => [objectId(mediaId, GROUND_TRUTH, own), label]))).get(
      id,
    );
}

/** Undefined for a picture that is as the table has it. */
function laterPlace(
  placed: PlacedSource,
  table: TablePart,
  row: number,
): { readonly part: SourcePart; readonly picture: number } | undefined {
  const place = placed.pictureAt(row);
  return place === undefined || place.part.id === table.id ? undefined : place;
}

/** The labels of a whole picture, each once. */
function labelsIn({ columns: { firsts, kinds, labels }, labels: names }: SourcePart, picture: number): string[] {
  const found = new Set<string>();
  for (let at = firsts[picture]!; at < firsts[picture + 1]!; at++)
    if (kinds[at] === LABEL_KIND) found.add(names[labels[at]!]!);
  return [...found];
}
