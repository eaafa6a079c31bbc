import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadAnswer } from '../../platform/concurrency/asked-thread';
import { onRequest } from '../../platform/concurrency/thread-end';
import type { Annotation } from '../annotations/annotation';
import { lowerThreadPriority } from '../compute/lower-thread-priority';
import type { Collected } from './collected';
import { comparePicture } from './compare-picture';
import { ColumnsBuilder, type ComparedPart, type RankedPicture } from './columns-builder';
import { EvaluationError } from './evaluation-error';
import type { EvaluationResult } from './evaluation-result';
import { heed, throwIfGivenUp } from './given-up';
import { joined } from './join-parts';
import { ALL, measureUnit, resultOf, type UnitMeasures } from './measure';
import type { PictureSize } from './picture-matcher';
import type { EvaluationPlan } from './plan';
import { rulesOf } from './rules-of';
import { SampledMeans } from './samples/sampled-means';

export interface PictureBatch {
  readonly pictures: readonly (RankedPicture & PictureSize)[];
  /** JSON: a list with the annotations of each picture. */
  readonly truth: Uint8Array;
  readonly predictions: Uint8Array;
}

export type CompareRequest = { readonly job: number } & (
  | { readonly kind: 'compare'; readonly batch: PictureBatch }
  | { readonly kind: 'part' }
  | { readonly kind: 'join'; readonly parts: readonly ComparedPart[] }
  /** Labels are taken from the cursor. The first thread measures all of them together before. */
  | { readonly kind: 'measure'; readonly collected: Collected; readonly cursor: Int32Array; readonly isFirst: boolean }
  | {
      readonly kind: 'result';
      readonly collected: Collected;
      readonly all: UnitMeasures;
      readonly ofLabels: readonly UnitMeasures[];
      readonly sums: readonly SampledMeans['sums'][];
    }
);

export interface Measured {
  readonly all?: UnitMeasures;
  readonly ofLabels: readonly UnitMeasures[];
  /** Of figures in samples. */
  readonly sums: SampledMeans['sums'];
}

export type CompareAnswer = ComparedPart | Collected | Measured | Omit<EvaluationResult, 'outcomes'>;

export interface CompareThreadData {
  readonly plan: EvaluationPlan;
  readonly givenUp: Int32Array;
}

lowerThreadPriority();
const { plan, givenUp } = workerData as CompareThreadData;
heed(givenUp);
const rules = rulesOf(plan);
const builder = new ColumnsBuilder(rules.words);

const listsOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Annotation[][] =>
  JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString()) as Annotation[][];

function compare(batch: PictureBatch): void {
  const [truth, predictions] = [listsOf(batch.truth), listsOf(batch.predictions)];
  for (const [at, picture] of batch.pictures.entries())
    try {
      comparePicture(plan, rules, builder, picture, truth[at]!, predictions[at]!);
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      throw new EvaluationError(`Picture ${picture.id} cannot be compared: ${error.message}`);
    }
}

function join(parts: readonly ComparedPart[]): Collected {
  const collected = joined(parts, rules.words);
  rules.settle?.(collected);
  return collected;
}

function measure(collected: Collected, cursor: Int32Array, isFirst: boolean): Measured {
  const means = new SampledMeans();
  const all = isFirst ? measureUnit(plan, rules, collected, ALL, means) : undefined;
  const ofLabels: UnitMeasures[] = [];
  for (;;) {
    throwIfGivenUp();
    const label = Atomics.add(cursor, 0, 1);
    if (label >= collected.labels.length) return { ...(all !== undefined && { all }), ofLabels, sums: means.sums };
    ofLabels.push(measureUnit(plan, rules, collected, label, means));
  }
}

function meansOf(all: readonly SampledMeans['sums'][]): SampledMeans {
  const means = new SampledMeans();
  for (const sums of all) means.addAll(sums);
  return means;
}

function answerTo(request: CompareRequest): CompareAnswer | undefined {
  switch (request.kind) {
    case 'compare':
      compare(request.batch);
      return undefined;
    case 'part':
      return builder.build();
    case 'join':
      return join(request.parts);
    case 'measure':
      return measure(request.collected, request.cursor, request.isFirst);
    case 'result':
      return resultOf(plan, rules, request.collected, request.all, request.ofLabels, meansOf(request.sums));
  }
}

const post = (answer: ThreadAnswer<unknown>, transferred: readonly ArrayBuffer[] = []): void =>
  parentPort!.postMessage(answer, transferred);

onRequest((request: CompareRequest) => {
  const { job } = request;
  try {
    const answer = answerTo(request);
    const isPart = request.kind === 'part';
    post({ job, answer }, isPart ? Object.values((answer as ComparedPart).columns).map(({ buffer }) => buffer) : []);
  } catch (error) {
    // Errors lose their class on the way.
    post({ job, error: error instanceof EvaluationError ? { refused: error.message } : error });
  }
});
