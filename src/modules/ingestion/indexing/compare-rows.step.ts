import { Inject, Injectable } from '@nestjs/common';
import { Turns } from '../../../common/platform/concurrency/turns';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import {
  computeLabelIssues,
  computeSimilarityStructure,
  type SimilarityOptions,
} from '../../../common/engine/similarity/compute-similarity-structure';
import type { SimilarityInput } from '../../../common/engine/similarity/similarity-structure';
import { groupCounts, groupOf, type ComparedGroup } from './domain/final-order';
import { informativePairs } from './domain/frame-pairs';
import { EmbeddingGroup, RowPlacement, type ComparedRows } from './embedding-groups';
import type { IndexingRun } from './indexing-run';
import { totalOf, type RowSource } from './row-source';
import type { TableModels } from './table-models';

/** Larger sources are compared one at a time, because their vectors take much memory. */
const LARGE_ROWS = 50_000;

/** What is computed of each group of rows: all that follows from their vectors, or only whether their labels agree with those of others. */
export type Comparisons = Partial<Record<ComparedGroup, 'all' | 'labels'>>;

export type Compared = Partial<Record<ComparedGroup, ComparedRows>>;

/** Compares rows with each other, without a database and off the event loop. */
@Injectable()
export class CompareRowsStep {
  private readonly largeOnes = new Turns(1);

  constructor(@Inject(CONFIGURATION) private readonly configuration: Configuration) {}

  compare(
    run: IndexingRun,
    source: RowSource,
    models: Pick<TableModels, 'dimensions' | 'ladder'>,
    comparisons: Comparisons,
    onPart: (part: number) => void,
  ): Promise<Compared> {
    const compare = (): Promise<Compared> => this.compareGroups(run, source, models, comparisons, onPart);
    return totalOf(source.counts) > LARGE_ROWS ? this.largeOnes.run(true, compare) : compare();
  }

  /** Judges the labels of images and frames only. What it returns takes the rows in the order of the source, and gives them the result. */
  async judgeLabels(
    run: IndexingRun,
    source: RowSource,
    models: Pick<TableModels, 'dimensions' | 'ladder'>,
    onPart: (part: number) => void,
  ): Promise<(row: MediaRow) => MediaRow> {
    const compared = await this.compare(run, source, models, { IMAGES: 'labels' }, onPart);
    const placement = new RowPlacement(compared, groupCounts(source.counts));
    return (row) => placement.place(row).row;
  }

  private async compareGroups(
    run: IndexingRun,
    source: RowSource,
    { dimensions: { embedding: dimension }, ladder }: Pick<TableModels, 'dimensions' | 'ladder'>,
    comparisons: Comparisons,
    onPart: (part: number) => void,
  ): Promise<Compared> {
    const groups = await collected(source, comparisons, dimension);
    const compared: Compared = {};
    const all = [...groups.values()].reduce((sum, group) => sum + group.capacity, 0);
    let before = 0;
    for (const [name, group] of groups) {
      const { capacity: count, vectors, contentGroup } = group;
      const base = before;
      const input = { count, dimension, vectors, contentGroup, ladder, threads: this.configuration.workerConcurrency };
      compared[name] = await comparedRows(comparisons[name]!, group, input, {
        signal: run.context.signal,
        onProgress: (part) => onPart((base + part * count) / all),
      });
      before += count;
    }
    return compared;
  }
}

/** The groups that have rows. */
async function collected(
  source: RowSource,
  comparisons: Comparisons,
  dimension: number,
): Promise<Map<ComparedGroup, EmbeddingGroup>> {
  const counts = groupCounts(source.counts);
  const groups = new Map<ComparedGroup, EmbeddingGroup>();
  for (const name of Object.keys(comparisons) as ComparedGroup[])
    if (counts[name] > 0) groups.set(name, new EmbeddingGroup(counts[name], dimension));
  for await (const row of source.comparedRows()) groups.get(groupOf(row.kind) as ComparedGroup)?.add(row);
  return groups;
}

async function comparedRows(
  comparison: 'all' | 'labels',
  group: EmbeddingGroup,
  input: SimilarityInput,
  options: SimilarityOptions,
): Promise<ComparedRows> {
  const { lists: labels, names } = group.labels.build();
  const labelled = names.length === 0 ? {} : { labels };
  if (comparison === 'labels') {
    const issues = names.length === 0 ? null : await computeLabelIssues({ ...input, labels }, options);
    return { judged: issues && { issues, names } };
  }
  const structure = await computeSimilarityStructure({ ...input, ...labelled }, options);
  const { labelIssues: issues } = structure;
  return {
    structure: { ...structure, edges: informativePairs(structure.edges, group.videoOf) },
    judged: issues && { issues, names },
  };
}
