import { setImmediate } from 'node:timers/promises';
import { type GeneratedLabel, givenLabels, type MediaRow } from '../../../common/engine/media-table/media-row';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import type { AppliedModels } from '../../datasets';
import { GROUND_TRUTH, IMPORTED_PREDICTIONS } from './domain/annotation-state';
import type { MediaIds } from './domain/media-ids';
import { TablePart, TablePartBuilder, type Claim } from './table-part';

/** Small enough not to block the event loop. */
const BATCH_ROWS = 4_096;
export const UNLABELLED = 'object';

const FIELDS = ['kind', 'parentId', 'labels', 'generatedLabels', 'box', 'matchedObjects', 'objectSource'] as const;
type ReadRow = Pick<MediaRow, (typeof FIELDS)[number]>;

/** The sources whose annotations are columns and objects of the media table: what people said, and what applied models found. */
export type TableSources = ReadonlyMap<string, TablePart>;

/** The names that these sources have in a table with these models. */
export const modelSources = ({ IMAGE_TAGGING: tagger, OBJECT_DETECTION: detector }: AppliedModels) => ({
  labels: tagger?.id ?? IMPORTED_PREDICTIONS,
  objects: detector?.id ?? IMPORTED_PREDICTIONS,
});

export async function loadTableSources(
  table: MediaTable,
  ids: MediaIds,
  names: ReturnType<typeof modelSources>,
): Promise<TableSources> {
  const builders = new Map([[GROUND_TRUTH, new TablePartBuilder()]]);
  const add = (source: string, claim: Claim): void => {
    const known = builders.get(source);
    const builder = known ?? new TablePartBuilder();
    if (known === undefined) builders.set(source, builder);
    builder.add(claim);
  };
  let row = 0;
  const asWritten = table.withLabels(undefined);
  for await (const batch of asWritten.readRows(FIELDS, { batchRows: BATCH_ROWS })) {
    for (const media of batch) {
      if (media.kind === 'OBJECT')
        addObject(row, media, ids, (isFound, claim) => add(isFound ? names.objects : GROUND_TRUTH, claim));
      else {
        for (const label of givenLabels(media)) add(GROUND_TRUTH, { row, label });
        for (const { label, confidence } of media.generatedLabels ?? []) add(names.labels, { row, label, confidence });
        for (const [at, { label, confidence, box }] of (media.matchedObjects ?? []).entries())
          add(names.objects, { row, label, confidence, matched: { at, box } });
      }
      row += 1;
    }
    await setImmediate();
  }
  const sizes = await sizesOf(table);
  const sources = new Map<string, TablePart>();
  for (const [name, builder] of builders) sources.set(name, await builder.build(table, ids, sizes));
  return sources;
}

function addObject(
  row: number,
  { parentId, box, labels, generatedLabels, objectSource }: ReadRow,
  ids: MediaIds,
  add: (isFound: boolean, claim: Claim) => void,
): void {
  if (parentId === null || box === null || objectSource !== null) return;
  const picture = ids.rowOfText(parentId);
  if (picture < 0) return;
  const [found]: readonly GeneratedLabel[] = generatedLabels ?? [];
  const object = { row, box };
  if (found === undefined) add(false, { row: picture, label: labels[0] ?? UNLABELLED, object });
  else add(true, { row: picture, label: found.label, confidence: found.confidence, object });
}

/** By row: its width and height. */
async function sizesOf(table: MediaTable): Promise<Int32Array> {
  const sizes = new Int32Array(2 * table.rows);
  for await (const { first, count, columns } of table.readColumns(['width', 'height']))
    for (let at = 0; at < count; at++) {
      sizes[2 * (first + at)] = Number(columns['width']![at]);
      sizes[2 * (first + at) + 1] = Number(columns['height']![at]);
    }
  return sizes;
}
