import { Injectable } from '@nestjs/common';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { ModelRegistry } from '../../../common/engine/models/model-registry';
import { failpoint } from '../../../common/platform/config/failpoint';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import type { DatasetCounts, DatasetPointer, PublishedTable } from '../../datasets';
import {
  assertModelsThere,
  BuildTableStep,
  type IndexingRun,
  MOST_BOXES_OF_A_PICTURE,
  modelsOf,
  RewriteRowsStep,
  TableRows,
  type ComparedRow,
  type RowSource,
} from '../../tables';
import { CarriedTags } from '../../versions';
import { type AnnotationMode, annotated, relabelled } from '../domain/annotation';
import { REMOVABLE_FIELDS, ReplacedObjects, type RemovedObjects } from '../domain/replaced-objects';
import { CutObjectsStep, type AddedObjects } from './cut-objects.step';
import { givenObjects, ListedAnnotations, namedRows, type GivenAnnotations } from './given-annotations';
import { GivenToCut, type ObjectsToCut } from './objects-to-cut';
import type { MediaRow } from '../../../common/engine/media-table/media-row';

interface ChangedObjects {
  readonly replaced: RemovedObjects;
  /** The number of those in the source that are replaced. */
  readonly removed: number;
  readonly added: AddedObjects;
}

/** The rows of a source with the annotations of a task, without replaced objects, followed by the added ones. */
class AnnotatedRows implements RowSource {
  readonly counts: DatasetCounts;

  constructor(
    private readonly source: RowSource,
    private readonly given: GivenAnnotations,
    private readonly mode: AnnotationMode,
    private readonly objects?: ChangedObjects,
  ) {
    const { counts } = source;
    const change = objects === undefined ? 0 : objects.added.count - objects.removed;
    this.counts = { ...counts, objects: counts.objects + change };
  }

  async *rows(): AsyncGenerator<MediaRow> {
    const matched = this.objects?.added.matched();
    for await (const row of this.source.rows()) {
      if (this.objects?.replaced.has(row) === true) continue;
      const found = await matched?.of(row.id);
      const before = found === undefined ? row : { ...row, matchedObjects: found.length === 0 ? null : found };
      yield this.given.about(row).reduce((now, annotation) => annotated(now, annotation, this.mode), before);
    }
    await matched?.assertRead();
    if (this.objects !== undefined) yield* this.objects.added.rows();
  }

  async *comparedRows(): AsyncGenerator<ComparedRow> {
    // Only whole rows have paths.
    const rows: AsyncIterable<ComparedRow & { readonly path?: string }> = this.given.byPath
      ? this.source.rows()
      : this.source.comparedRows();
    for await (const row of rows) if (this.objects?.replaced.has(row) !== true) yield this.relabelled(row);
    if (this.objects !== undefined) yield* this.objects.added.rows();
  }

  private relabelled(row: ComparedRow & { readonly path?: string }): ComparedRow {
    const { id, kind, path = '' } = row;
    return this.given
      .about({ id, kind, path })
      .reduce<ComparedRow>((now, each) => relabelled(now, each, this.mode), row);
  }
}

/** As many as annotation files may have; all their vectors are compared in memory. */
const MOST_OBJECTS = 1_000_000;
/** The part of the progress that cutting objects takes; the rest is comparing and writing. */
const CUTTING = 80;

export interface AnnotatedTable {
  readonly pointer: DatasetPointer;
  readonly table: MediaTable;
  readonly counts: DatasetCounts;
  readonly thumbnailKey: string | null;
}

export interface Written {
  /** Undefined if nothing has changed. */
  readonly published: PublishedTable | undefined;
  readonly warnings: readonly string[];
}

export type OnProgress = (percent: number, message: string) => void;

/** Writes the rows of a table with the annotations of a task into a new table. */
@Injectable()
export class WriteAnnotationsStep {
  constructor(
    private readonly registry: ModelRegistry,
    private readonly cutObjects: CutObjectsStep,
    private readonly buildTable: BuildTableStep,
    private readonly rewriteRows: RewriteRowsStep,
    private readonly tags: CarriedTags,
  ) {}

  async write(
    run: IndexingRun,
    base: AnnotatedTable,
    given: GivenAnnotations,
    mode: AnnotationMode,
    onProgress: OnProgress,
  ): Promise<Written> {
    const objects = given.hasObjects ? await this.changedObjects(run, base, given, mode, onProgress) : undefined;
    const warnings = objects?.added.warnings ?? [];
    const source = new TableRows(base.table, base.counts, run.context.signal);
    if (objects !== undefined && objects.added.count + objects.removed > 0) {
      const rows = new AnnotatedRows(source, given, mode, objects);
      return { published: await this.withObjects(run, base, rows, objects, given.changesLabels, onProgress), warnings };
    }
    const matchesNone = (await objects?.added.matched().isEmpty()) ?? true;
    if (!given.changesRows && matchesNone) return { published: undefined, warnings };
    const rows = new AnnotatedRows(source, given, mode, objects);
    return { published: await this.rewritten(run, base, rows, given, onProgress), warnings };
  }

  /** Cuts out what a source says and the table does not have yet, and removes what it says no longer. */
  async writeObjects(
    run: IndexingRun,
    base: AnnotatedTable,
    wanted: ObjectsToCut & RemovedObjects,
    onProgress: OnProgress,
  ): Promise<Written> {
    await this.assertMayCut(base);
    const objects = await this.cut(run, base, wanted, wanted, onProgress);
    const { warnings } = objects.added;
    if (objects.added.count + objects.removed === 0) return { published: undefined, warnings };
    const source = new TableRows(base.table, base.counts, run.context.signal);
    const rows = new AnnotatedRows(source, new ListedAnnotations([]), 'add', objects);
    return { published: await this.withObjects(run, base, rows, objects, false, onProgress), warnings };
  }

  private async assertMayCut({ pointer, table }: AnnotatedTable): Promise<void> {
    await this.registry.refresh();
    assertModelsThere(this.registry, pointer, table);
  }

  private async changedObjects(
    run: IndexingRun,
    base: AnnotatedTable,
    given: GivenAnnotations,
    mode: AnnotationMode,
    onProgress: OnProgress,
  ): Promise<ChangedObjects> {
    const { pointer, table } = base;
    await this.assertMayCut(base);
    const replaced = new ReplacedObjects();
    let pictures = 0;
    for await (const row of namedRows(table, run.context.signal)) {
      const objects = givenObjects(given, row);
      if (objects === undefined) continue;
      if (objects.length > MOST_BOXES_OF_A_PICTURE)
        throw new PermanentJobError(
          `${row.path} is given ${objects.length} boxes, and a picture may have ${MOST_BOXES_OF_A_PICTURE} at most.`,
        );
      pictures += 1;
      if (mode === 'replace') replaced.replace(row.id, objects);
    }
    return this.cut(run, base, new GivenToCut(table, pointer.modelId, given, replaced, pictures), replaced, onProgress);
  }

  private async cut(
    run: IndexingRun,
    { table, counts }: AnnotatedTable,
    wanted: ObjectsToCut,
    replaced: RemovedObjects,
    onProgress: OnProgress,
  ): Promise<ChangedObjects> {
    const added = await this.cutObjects.run(run, wanted, (part) => onProgress(CUTTING * part, 'Cutting out objects'));
    for await (const unread of added.unreadPictures()) replaced.keep(unread);
    const places = await placesOf(table, replaced);
    const removed = places.reduce((sum, place) => sum + (place < 0 ? 1 : 0), 0);
    if (counts.objects - removed + added.count > MOST_OBJECTS)
      throw new PermanentJobError(`The dataset would have more than ${MOST_OBJECTS} objects, which is the limit.`);
    return { replaced, removed, added };
  }

  /** Objects are compared and clustered again. Images keep their order and clusters, and tags follow their rows. */
  private async withObjects(
    run: IndexingRun,
    { pointer, table }: AnnotatedTable,
    rows: AnnotatedRows,
    { replaced }: ChangedObjects,
    relabelled: boolean,
    onProgress: OnProgress,
  ): Promise<PublishedTable> {
    const placeOf = await placesOf(table, replaced);
    const kept = { pointer, placeOf, relabelled };
    const built = await this.buildTable.build(
      run,
      rows,
      modelsOf(pointer, table),
      (phase, part) => {
        if (phase === 'comparing') onProgress(CUTTING + 10 * part, 'Comparing objects');
        else onProgress(CUTTING + 10 + 9 * part, 'Writing the table');
      },
      kept,
    );
    const newOrdinals = placeOf.map((place) => (place < 0 ? -1 : built.ordinalOf[place]!));
    const tagsFile = await this.tags.rewrite(pointer.tagsFile, newOrdinals);
    failpoint('tags-carried');
    return { ...built, tagsFile };
  }

  private async rewritten(
    run: IndexingRun,
    { pointer, table, thumbnailKey }: AnnotatedTable,
    rows: AnnotatedRows,
    { changesLabels: relabelled, hasObjects }: GivenAnnotations,
    onProgress: OnProgress,
  ): Promise<PublishedTable> {
    const start = hasObjects ? CUTTING : 0;
    const rest = 99 - start;
    const models = { ...modelsOf(pointer, table), dimensions: { ...table.dimensions } };
    return this.rewriteRows.rewrite(run, { pointer, thumbnailKey, rows, models, relabelled }, (phase, part) => {
      if (phase === 'comparing') onProgress(start + 0.4 * rest * part, 'Comparing labels');
      else onProgress(start + rest * (0.4 + 0.6 * part), 'Writing the table');
    });
  }
}

/** The index of each row of the table among the kept rows; -1 for others. */
async function placesOf(table: MediaTable, replaced: RemovedObjects): Promise<Int32Array> {
  const places = new Int32Array(table.rows);
  let [ordinal, place] = [0, 0];
  for await (const batch of table.readRows(REMOVABLE_FIELDS))
    for (const row of batch) places[ordinal++] = replaced.has(row) ? -1 : place++;
  return places;
}
