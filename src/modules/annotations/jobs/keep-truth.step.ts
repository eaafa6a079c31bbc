import { Injectable } from '@nestjs/common';
import type { Annotation } from '../../../common/engine/annotations/annotation';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import type { DatasetPointer, PublishedTable } from '../../datasets';
import {
  AnnotationFiles,
  GROUND_TRUTH,
  objectId,
  SourceAnnotations,
  sourceNamed,
  VersionOpener,
  type AnnotationSource,
} from '../../versions';
import { AnnotationDraft, NOTHING, type PictureList } from '../annotation-draft';
import type { AnnotationMode } from '../domain/annotation';
import { originsReplacedBy } from '../domain/replaced-objects';
import { truthAfter } from '../domain/truth-after';
import { givenObjects, isPicture, type GivenAnnotations } from './given-annotations';

const AT_ONCE = 2_000;
const FIELDS = ['id', 'kind', 'path', 'parentId'] as const;

interface Annotated {
  readonly pointer: DatasetPointer;
  readonly table: MediaTable;
  readonly given: GivenAnnotations;
  readonly mode: AnnotationMode;
}

interface TouchedPicture {
  readonly row: number;
  readonly id: string;
  readonly replacesBoxes: boolean;
}

/** Brings what people say beside the table in line with the annotations of a task, which were written into the table. */
@Injectable()
export class KeepTruthStep {
  constructor(
    private readonly tables: MediaTableStore,
    private readonly versions: VersionOpener,
    private readonly annotations: SourceAnnotations,
    private readonly files: AnnotationFiles,
  ) {}

  /** All sources afterwards; undefined if they stay as they are. */
  async sourcesAfter(done: Annotated, written: PublishedTable): Promise<readonly AnnotationSource[] | undefined> {
    const { pointer, table } = done;
    const { sources } = await this.annotations.stateOf(pointer);
    const truth = sourceNamed(sources, GROUND_TRUTH);
    if (truth === undefined) return undefined;
    const touched = await this.touched(done);
    if (touched.length === 0) return undefined;
    const pointerAfter = { ...pointer, generation: written.generation, version: written.version };
    const tableAfter = await this.tables.open({ generation: written.generation, version: written.version });
    const ofTable = { ...truth, segments: [] };
    const [before, columnsBefore, columnsAfter, idsAfter] = [
      await this.annotations.place(truth, pointer, table),
      await this.annotations.place(ofTable, pointer, table),
      await this.annotations.place(ofTable, pointerAfter, tableAfter),
      await this.annotations.idsOf(tableAfter),
    ];
    using version = await this.versions.open(pointer);
    const draft = new AnnotationDraft(version, sources, this.annotations, this.files);
    for (let at = 0; at < touched.length; at += AT_ONCE) {
      const some = touched.slice(at, at + AT_ONCE);
      const rows = some.map(({ row }) => row);
      const [said, had, has] = [
        await before.annotationsOf(rows),
        await columnsBefore.annotationsOf(rows),
        await columnsAfter.annotationsOf(some.map(({ id }) => idsAfter.rowOfText(id))),
      ];
      const lists = some.map(({ row, id, replacesBoxes }, i): PictureList => {
        const [tableBefore, tableAfter] = [had[i]!, has[i]!].map((list) => withOwnIds(list, id, said[i]!));
        const of = { before: said[i]!, tableBefore: tableBefore!, tableAfter: tableAfter!, replacesBoxes };
        return { row, id, annotations: truthAfter(of) };
      });
      draft.put(truth, lists, NOTHING);
    }
    return await draft.written();
  }

  /** Pictures that people annotated beside the table, and that the task is about. */
  private async touched({ pointer, table, given, mode }: Annotated): Promise<readonly TouchedPicture[]> {
    const truth = await this.annotations.laterTruth(pointer, table);
    const ids = await this.annotations.idsOf(table);
    const touched = new Map<number, TouchedPicture>();
    let ordinal = 0;
    for await (const batch of table.readRows(FIELDS))
      for (const row of batch) {
        const picture = isPicture(row) ? ordinal : parentOf(row, (id) => ids.rowOfText(id));
        ordinal += 1;
        if (picture < 0 || truth?.isLater(picture) !== true || given.about(row).length === 0) continue;
        const marked = isPicture(row) ? givenObjects(given, row) : undefined;
        const replacesBoxes =
          touched.get(picture)?.replacesBoxes === true ||
          (mode === 'replace' && marked !== undefined && originsReplacedBy(marked).has('marked'));
        touched.set(picture, { row: picture, id: ids.idOf(picture), replacesBoxes });
      }
    return [...touched.values()];
  }
}

/** What the table has, with the ids of the annotations that its objects were made of. */
function withOwnIds(
  ofTable: readonly Annotation[],
  pictureId: string,
  said: readonly Annotation[],
): readonly Annotation[] {
  const own = new Map(said.map(({ id }) => [objectId(pictureId, GROUND_TRUTH, id), id]));
  return ofTable.map((annotation) => ({ ...annotation, id: own.get(annotation.id) ?? annotation.id }));
}

const parentOf = ({ kind, parentId }: Pick<MediaRow, 'kind' | 'parentId'>, rowOf: (id: string) => number): number =>
  kind === 'OBJECT' && parentId !== null ? rowOf(parentId) : -1;
