import { Inject, Injectable } from '@nestjs/common';
import { Turns } from '../../../common/platform/concurrency/turns';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import {
  computeLabelIssues,
  computeSimilarityStructure,
  type SimilarityOptions,
} from '../../../common/engine/similarity/compute-similarity-structure';
import { leastBytes, mostBytes } from '../../../common/engine/similarity/rows/memory-plan';
import type { ComparedVectors } from '../../../common/engine/similarity/similarity-structure';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import { collectGroups, type CollectedGroup } from './collected-groups';
import { groupCounts, type ComparedGroup } from './domain/final-order';
import { informativePairs } from './domain/frame-pairs';
import { RowPlacement, type ComparedRows } from './embedding-groups';
import type { IndexingRun } from '../runs/task-runner';
import { NEIGHBOUR_ENGINE, type NeighbourEngine } from '../neighbours/neighbour-steps';
import type { RowSource } from '../rows/row-source';
import { inScratchFolder } from './scratch-space';
import type { TableModels } from './table-models';

/** Sources above this share of the memory are compared one at a time, alongside up to three smaller ones. */
const SMALL_SHARE = 1 / 16;
const LARGE_SHARE = 1 - 3 * SMALL_SHARE;

/** The scope of the computation for each group of rows: all results, or label issues only. */
export type Comparisons = Partial<Record<ComparedGroup, 'all' | 'labels'>>;

type ComparedModels = Pick<TableModels, 'dimensions' | 'ladder' | 'nearDuplicates'>;

export type Compared = Partial<Record<ComparedGroup, ComparedRows>>;

/** Compares rows with each other, without a database and off the event loop. */
@Injectable()
export class CompareRowsStep {
  private readonly largeOnes = new Turns(1);

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(NEIGHBOUR_ENGINE) private readonly engine: NeighbourEngine | null,
  ) {}

  async compare(
    run: IndexingRun,
    source: RowSource,
    models: ComparedModels,
    comparisons: Comparisons,
    onPart: (part: number) => void,
  ): Promise<Compared> {
    const counts = countsOf(source, comparisons);
    const needed = sumOf(counts, (count) => mostBytes(count, models.dimensions.embedding));
    const compareGroups = (): Promise<Compared> => this.compareGroups(run, source, models, comparisons, onPart);
    const compare = (): Promise<Compared> => this.engine?.during(run, compareGroups) ?? compareGroups();
    const isLarge = needed > this.configuration.indexingMemoryBytes * SMALL_SHARE;
    return isLarge ? this.largeOnes.run(true, compare) : compare();
  }

  /** Computes the label issues of images and frames only. The returned function must be called with the rows in the order of the source. */
  async judgeLabels(
    run: IndexingRun,
    source: RowSource,
    models: ComparedModels,
    onPart: (part: number) => void,
  ): Promise<(row: MediaRow) => MediaRow> {
    const compared = await this.compare(run, source, models, { IMAGES: 'labels' }, onPart);
    const placement = new RowPlacement(compared, groupCounts(source.counts));
    return (row) => placement.place(row).row;
  }

  private async compareGroups(
    run: IndexingRun,
    source: RowSource,
    { dimensions: { embedding: dimension }, ladder, nearDuplicates }: ComparedModels,
    comparisons: Comparisons,
    onPart: (part: number) => void,
  ): Promise<Compared> {
    const counts = countsOf(source, comparisons);
    const { indexingMemoryBytes, workerConcurrency: threads } = this.configuration;
    const bytes = Math.floor(indexingMemoryBytes * LARGE_SHARE);
    for (const count of Object.values(counts)) this.checkMemory(count, dimension, bytes);
    const elsewhere = this.engine?.limits;
    const isElsewhere = Object.values(counts).some((count) => count >= (elsewhere?.leastVectors ?? Infinity));
    if (isElsewhere) await this.engine?.check(run.context.signal);
    const filed = { counts: Object.values(counts), dimension };
    return inScratchFolder(this.configuration.dataDir, filed, async (folder) => {
      const groups = await collectGroups(source, counts, dimension, folder);
      const compared: Compared = {};
      const all = sumOf(counts, (count) => count);
      let before = 0;
      for (const [name, group] of groups) {
        const base = before;
        const input = group.input({ bytes, ladder, nearDuplicates, threads, elsewhere });
        compared[name] = await comparedRows(comparisons[name]!, group, input, {
          signal: run.context.signal,
          onProgress: (part) => onPart((base + part * group.count) / all),
          search: this.engine?.searchOf(run, name),
        });
        before += group.count;
      }
      return compared;
    });
  }

  private checkMemory(count: number, dimension: number, bytes: number): void {
    const least = Math.ceil(leastBytes(count, dimension) / LARGE_SHARE);
    if (leastBytes(count, dimension) <= bytes) return;
    throw new PermanentJobError(
      `Comparing ${count} vectors of ${dimension} numbers takes at least ${least} bytes of memory, but INDEXING_MEMORY_BYTES is ${this.configuration.indexingMemoryBytes}. Raise it, then try again.`,
    );
  }
}

/** The numbers of rows in the non-empty groups to be compared. */
function countsOf(source: RowSource, comparisons: Comparisons): Partial<Record<ComparedGroup, number>> {
  const counts = groupCounts(source.counts);
  const names = (Object.keys(comparisons) as ComparedGroup[]).filter((name) => counts[name] > 0);
  return Object.fromEntries(names.map((name) => [name, counts[name]]));
}

const sumOf = (counts: Partial<Record<ComparedGroup, number>>, bytesOf: (count: number) => number): number =>
  Object.values(counts).reduce((sum, count) => sum + bytesOf(count), 0);

async function comparedRows(
  comparison: 'all' | 'labels',
  { facts }: CollectedGroup,
  input: ComparedVectors,
  options: SimilarityOptions,
): Promise<ComparedRows> {
  const { lists: labels, names } = facts.labels.build();
  const labelled = names.length === 0 ? {} : { labels };
  if (comparison === 'labels') {
    const issues = names.length === 0 ? null : await computeLabelIssues({ ...input, labels }, options);
    return { judged: issues && { issues, names } };
  }
  const structure = await computeSimilarityStructure({ ...input, ...labelled }, options);
  const { labelIssues: issues } = structure;
  return {
    structure: { ...structure, edges: informativePairs(structure.edges, facts.videoOf) },
    judged: issues && { issues, names },
  };
}
