import { hash } from 'node:crypto';
import type { Configuration } from '../../src/common/platform/config/configuration';
import { CompareRowsStep, type Compared } from '../../src/modules/tables/build/compare-rows.step';
import type { IndexingRun } from '../../src/modules/tables/runs/task-runner';
import type { NeighbourEngine } from '../../src/modules/tables/neighbours/neighbour-steps';
import type { ComparedRow, RowSource } from '../../src/modules/tables/rows/row-source';
import { knownGroups } from './known-groups';

/** Three parts of images, and few objects. */
export const IMAGES = 36_000;
const OBJECTS = 2_000;
const DIMENSION = 32;
/** Fewer vectors are compared by the worker itself. */
export const LEAST_VECTORS = 20_000;
/** So little that images are compared in files, as they are for an engine. */
const MEMORY_BYTES = 40_000_000;
const MODELS = {
  dimensions: { embedding: DIMENSION, captionEmbedding: 1 },
  ladder: [0.95, 0.85, 0.7, 0.6, 0.5],
} as const;

const source = (): RowSource => {
  const known = knownGroups({ count: IMAGES + OBJECTS, dimension: DIMENSION, groups: 400, seed: 4 });
  return {
    counts: { images: IMAGES, videos: 0, objects: OBJECTS, frames: 0 },
    rows: () => {
      throw new Error('Only what is compared is read');
    },
    async *comparedRows(): AsyncGenerator<ComparedRow> {
      for (let row = 0; row < known.count; row++) {
        yield await Promise.resolve({
          id: String(row),
          kind: row < IMAGES ? 'IMAGE' : 'OBJECT',
          parentId: null,
          sha256: hash('sha256', String(known.contentGroup[row])),
          embedding: known.vectors.subarray(row * DIMENSION, (row + 1) * DIMENSION),
          labels: [],
          generatedLabels: null,
        });
      }
    },
  };
};

export interface RowComparison {
  readonly engine: NeighbourEngine | null;
  readonly dataDir: string;
  readonly taskId: string;
  readonly signal?: AbortSignal;
}

/** Compares the same rows each time, as an operation does. */
export function compareRows({ engine, dataDir, taskId, signal }: RowComparison): Promise<Compared> {
  const configuration = { indexingMemoryBytes: MEMORY_BYTES, dataDir, workerConcurrency: 2 } as Configuration;
  const context = { signal: signal ?? new AbortController().signal };
  const run = { taskId, datasetId: 'a dataset', context } as IndexingRun;
  const asked = { IMAGES: 'all', OBJECTS: 'all' } as const;
  return new CompareRowsStep(configuration, engine).compare(run, source(), MODELS, asked, () => undefined);
}
