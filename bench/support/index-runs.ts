import type { SimilarityStructure } from '../../src/common/engine/similarity/similarity-structure';
import type { Report } from '../bench';

/** One index of vectors in known groups. */
export interface IndexRun<Known extends { readonly count: number }> {
  readonly known: Known;
  readonly structure: SimilarityStructure;
  readonly structureSeconds: number;
  readonly tableSeconds: number;
  readonly processorSeconds: number;
}

export const totalSeconds = ({
  structureSeconds,
  tableSeconds,
}: Pick<IndexRun<never>, 'structureSeconds' | 'tableSeconds'>): number => structureSeconds + tableSeconds;

/** Prints a row for each run; `more` adds columns. */
export function reportRuns<Run extends IndexRun<{ readonly count: number }>>(
  report: Report,
  runs: readonly Run[],
  more: (run: Run) => Readonly<Record<string, string>> = () => ({}),
): void {
  report.table(
    runs.map((run) => ({
      vectors: run.known.count,
      'structure s': run.structureSeconds.toFixed(1),
      'table s': run.tableSeconds.toFixed(1),
      'total s': totalSeconds(run).toFixed(1),
      'processor s': run.processorSeconds.toFixed(1),
      ...more(run),
      edges: run.structure.edges.first.length,
    })),
  );
}
