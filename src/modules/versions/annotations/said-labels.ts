import type { MediaTable } from '../../../common/engine/media-table/media-table';
import type { EntityKind } from '../../../common/engine/media-table/media-row';
import type { DatasetPointer } from '../../datasets';
import { GROUND_TRUTH } from './domain/annotation-state';
import type { SourceAnnotations } from './source-annotations';
import { modelSources } from './table-sources';

/** By source and label: how many annotations a medium has. */
export type SaidLabels = Readonly<Record<string, Readonly<Record<string, number>>>>;

const MOST_LABELS = 100;

type Said = Map<string, SaidLabels[string]>;

/** What each source says about some rows; of an object, who marked or found it. */
export async function saidLabels(
  annotations: SourceAnnotations,
  { pointer, table, kindOf }: { pointer: DatasetPointer; table: MediaTable; kindOf: (row: number) => EntityKind },
  rows: readonly number[],
): Promise<ReadonlyMap<number, SaidLabels>> {
  const said = new Map<number, Said>(rows.map((row) => [row, new Map()]));
  for (const name of new Set(await annotations.names(pointer, table))) {
    const placed = await annotations.open(pointer, table, name);
    for (const [row, sources] of said) {
      const labels = [...(placed?.labelsAt(row) ?? [])].sort(([, a], [, b]) => b - a).slice(0, MOST_LABELS);
      if (labels.length > 0) sources.set(name, Object.fromEntries(labels));
    }
  }
  const objects = [...said.keys()].filter((row) => kindOf(row) === 'OBJECT');
  const { objects: model } = modelSources(pointer.enrichments);
  const read = await table.takeRows(objects, ['labels', 'generatedLabels', 'objectSource']);
  for (const [at, { labels, generatedLabels, objectSource }] of read.entries()) {
    const ofTable = generatedLabels !== null && generatedLabels.length > 0 ? model : GROUND_TRUTH;
    if (labels[0] !== undefined)
      said.get(objects[at]!)!.set(objectSource ?? ofTable, Object.fromEntries([[labels[0], 1]]));
  }
  return new Map(Array.from(said, ([row, sources]) => [row, Object.fromEntries(sources)]));
}
