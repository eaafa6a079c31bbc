import { tmpdir } from 'node:os';
import {
  computeLabelIssues,
  computeSimilarityStructure,
  inScratch,
  type SimilarityOptions,
} from '../../src/common/engine/similarity/compute-similarity-structure';
import type { LabelIssues } from '../../src/common/engine/similarity/labels/judge-labels';
import type { LabelLists } from '../../src/common/engine/similarity/labels/label-lists';
import type { SimilarityInput, SimilarityStructure } from '../../src/common/engine/similarity/similarity-structure';

/** Of vectors in memory, all of which have room. */
export const structureOfVectors = (input: SimilarityInput, options?: SimilarityOptions): Promise<SimilarityStructure> =>
  inScratch(input, tmpdir(), (compared) => computeSimilarityStructure(compared, options));

export const labelIssuesOfVectors = (
  input: SimilarityInput & { readonly labels: LabelLists },
  options?: SimilarityOptions,
): Promise<LabelIssues> =>
  inScratch(input, tmpdir(), (compared) => computeLabelIssues({ ...compared, labels: input.labels }, options));
