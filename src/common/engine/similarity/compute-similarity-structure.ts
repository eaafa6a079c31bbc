import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LabelIssues } from './labels/judge-labels';
import type { LabelLists } from './labels/label-lists';
import { mostBytes } from './rows/memory-plan';
import { stoppable } from './threads/stoppable';
import { StructureThread, type NeighbourSearch, type StructureOptions } from './threads/structure-thread';
import type { ComparedVectors, SimilarityInput, SimilarityStructure } from './similarity-structure';

export interface SimilarityOptions {
  readonly signal?: AbortSignal;
  /** From 0 to 1, never decreasing. */
  readonly onProgress?: (fraction: number) => void;
  /** Searches the neighbours of vectors whose input sets `elsewhere`. */
  readonly search?: NeighbourSearch | undefined;
}

/** The external search is aborted by the caller's signal and by the computation. */
function optionsOf({ signal, onProgress, search }: SimilarityOptions): StructureOptions {
  if (search === undefined || signal === undefined) return { onProgress, search };
  return {
    onProgress,
    search: (ordered, options) => search(ordered, { ...options, signal: AbortSignal.any([signal, options.signal]) }),
  };
}

/** Runs off the event loop. The result is the same for any number of threads. An abort rejects with the signal's reason. */
export async function computeSimilarityStructure(
  input: ComparedVectors,
  options: SimilarityOptions = {},
): Promise<SimilarityStructure> {
  checkInput(input);
  return stoppable(options.signal, (stop) =>
    StructureThread.compute({ computation: 'structure', input, stop }, optionsOf(options)),
  );
}

/** Computes the same label issues as the structure, without the rest of it. */
export async function computeLabelIssues(
  input: ComparedVectors & { readonly labels: LabelLists },
  options: SimilarityOptions = {},
): Promise<LabelIssues> {
  checkInput(input);
  return stoppable(
    options.signal,
    async (stop) => (await StructureThread.compute({ computation: 'labelIssues', input, stop }, optionsOf(options)))!,
  );
}

/** Compares vectors in memory, all of which have room, with scratch files in a folder of their own below `parent`. */
export async function inScratch<T>(
  input: SimilarityInput,
  parent: string,
  compute: (input: SimilarityInput & ComparedVectors) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(parent, 'vectors-'));
  try {
    return await compute({ ...input, memory: { bytes: mostBytes(input.count, input.dimension), folder } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function checkInput(input: ComparedVectors): void {
  const { count, dimension, contentGroup, ladder, labels } = input;
  if ('vectors' in input) {
    const { vectors } = input;
    if (vectors.length !== count * dimension)
      throw new RangeError(
        `${count} vectors of dimension ${dimension} need ${count * dimension} numbers, not ${vectors.length}`,
      );
    if (!(vectors.buffer instanceof SharedArrayBuffer)) throw new TypeError('Vectors must be in shared memory');
  }
  if (labels !== undefined && labels.start.length !== count + 1)
    throw new RangeError(`Labels of ${labels.start.length - 1} items for ${count} vectors`);
  if (contentGroup.length !== count) throw new RangeError(`${contentGroup.length} content groups for ${count} vectors`);
  if (ladder.some((cut, level) => level > 0 && cut > ladder[level - 1]!)) {
    throw new RangeError(`The ladder must fall from level to level: ${ladder.join(', ')}`);
  }
}
