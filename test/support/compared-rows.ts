import { hash } from 'node:crypto';
import type { ElsewhereLimits } from '../../src/common/engine/similarity/similarity-structure';
import type { Configuration } from '../../src/common/platform/config/configuration';
import { CompareRowsStep, type Compared } from '../../src/modules/tables/build/compare-rows.step';
import type { IndexingRun } from '../../src/modules/tables/runs/task-runner';
import type { NeighbourEngine } from '../../src/modules/tables/neighbours/neighbour-steps';
import type { ComparedRow, RowSource } from '../../src/modules/tables/rows/row-source';
import { knownGroups } from './known-groups';

const OBJECTS = 2_000;
const DIMENSION = 32;
/** Fewer vectors are compared by the worker itself. */
const LEAST_VECTORS = 2_500;

/** The number of images to compare, in three parts. */
export interface ComparisonSize {
  readonly images: number;
  readonly partRows?: number;
}

/** The number for a cluster that needs seconds per step; at the worker, not all have room in memory at once. */
export const LARGE: ComparisonSize = { images: 36_000 };
export const SMALL: ComparisonSize = { images: 3_000, partRows: 1_000 };

export const limitsOf = ({ partRows }: ComparisonSize): ElsewhereLimits => ({
  leastVectors: LEAST_VECTORS,
  ...(partRows !== undefined && { partRows }),
});
/** So little memory that the images of a large comparison have no room at once. */
const MEMORY_BYTES = 40_000_000;
const MODELS = {
  dimensions: { embedding: DIMENSION, captionEmbedding: 1 },
  ladder: [0.95, 0.85, 0.7, 0.6, 0.5],
  nearDuplicates: 0.95,
} as const;

const sourceOf = (images: number): RowSource => {
  const known = knownGroups({ count: images + OBJECTS, dimension: DIMENSION, groups: Math.ceil(images / 90), seed: 4 });
  return {
    counts: { images, videos: 0, objects: OBJECTS, frames: 0 },
    rows: () => {
      throw new Error('Only what is compared is read');
    },
    async *comparedRows(): AsyncGenerator<ComparedRow> {
      for (let row = 0; row < known.count; row++) {
        yield await Promise.resolve({
          id: String(row),
          kind: row < images ? 'IMAGE' : 'OBJECT',
          parentId: null,
          sha256: hash('sha256', String(known.contentGroup[row])),
          embedding: known.vectors.subarray(row * DIMENSION, (row + 1) * DIMENSION),
          labels: [],
          generatedLabels: null,
          objectSource: null,
        });
      }
    },
  };
};

export interface RowComparison {
  readonly size: ComparisonSize;
  readonly engine: NeighbourEngine | null;
  readonly dataDir: string;
  readonly taskId: string;
  readonly signal?: AbortSignal;
}

/** Compares the same rows each time, like an operation does. */
export function compareRows({ size, engine, dataDir, taskId, signal }: RowComparison): Promise<Compared> {
  const configuration = { indexingMemoryBytes: MEMORY_BYTES, dataDir, workerConcurrency: 2 } as Configuration;
  const context = { signal: signal ?? new AbortController().signal };
  const run = { taskId, datasetId: 'a dataset', context } as IndexingRun;
  const asked = { IMAGES: 'all', OBJECTS: 'all' } as const;
  return new CompareRowsStep(configuration, engine).compare(run, sourceOf(size.images), MODELS, asked, () => undefined);
}
