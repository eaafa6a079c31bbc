import { hash, randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { SimilarityStructure } from '../../src/common/engine/similarity/similarity-structure';
import type { Configuration } from '../../src/common/platform/config/configuration';
import { CompareRowsStep } from '../../src/modules/tables/build/compare-rows.step';
import type { IndexingRun } from '../../src/modules/tables/runs/task-runner';
import type { NeighbourEngine } from '../../src/modules/tables/neighbours/neighbour-steps';
import type { ComparedRow, RowSource } from '../../src/modules/tables/rows/row-source';
import type { GeneratedGroups } from '../../test/support/generated-groups';

export interface ComparedVectors {
  readonly structure: SimilarityStructure;
  readonly seconds: number;
  readonly taskId: string;
}

export interface VectorComparison {
  readonly engine: NeighbourEngine | null;
  readonly dataDir: string;
  readonly memoryBytes: number;
  readonly onPart?: (part: number, taskId: string) => void;
}

const sourceOf = (known: GeneratedGroups): RowSource => ({
  counts: { images: known.count, videos: 0, objects: 0, frames: 0 },
  rows: () => {
    throw new Error('This source only provides the vectors to compare');
  },
  async *comparedRows(): AsyncGenerator<ComparedRow> {
    const embedding = new Float32Array(known.dimension);
    for (let row = 0; row < known.count; row++) {
      known.fill(row, embedding);
      yield await Promise.resolve({
        id: String(row),
        kind: 'IMAGE',
        parentId: null,
        sha256: hash('sha256', String(known.contentGroup[row])),
        embedding,
        labels: [],
        generatedLabels: null,
        objectSource: null,
      });
    }
  },
});

/** Compares generated vectors as an operation does. The time is measured from the first vector to the last cluster. */
export async function compareVectors(
  known: GeneratedGroups,
  { engine, dataDir, memoryBytes: indexingMemoryBytes, onPart }: VectorComparison,
): Promise<ComparedVectors> {
  const taskId = randomUUID();
  const workerConcurrency = Math.min(2, availableParallelism());
  const step = new CompareRowsStep({ indexingMemoryBytes, dataDir, workerConcurrency } as Configuration, engine);
  const run = { taskId, datasetId: taskId, context: { signal: new AbortController().signal } } as IndexingRun;
  const models = {
    dimensions: { embedding: known.dimension, captionEmbedding: 1 },
    ladder: [0.95, 0.85, 0.75, 0.65, 0.55],
    nearDuplicates: 0.95,
  } as const;
  const started = performance.now();
  const compared = await step.compare(run, sourceOf(known), models, { IMAGES: 'all' }, (part) =>
    onPart?.(part, taskId),
  );
  return { structure: compared.IMAGES!.structure!, seconds: (performance.now() - started) / 1_000, taskId };
}
