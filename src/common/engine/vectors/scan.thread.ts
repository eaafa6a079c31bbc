import { parentPort } from 'node:worker_threads';
import type { ThreadAnswer } from '../../platform/concurrency/asked-thread';
import { onRequest } from '../../platform/concurrency/thread-end';
import { lowerThreadPriority } from '../compute/lower-thread-priority';
import { HeldBlocks, type KeptBlocks, type NumberedBlock, type UpperScores } from './held-blocks';
import { LowerScorer } from './lower-scorer';
import type { QueryDigits } from './query-digits';

interface Asked {
  readonly job: number;
  readonly matrix: number;
}

/** Results are written to shared arrays. */
export type ScanRequest =
  | {
      readonly kind: 'open';
      readonly matrix: number;
      readonly blockRows: number;
      readonly blocks: readonly NumberedBlock[];
      readonly kept: KeptBlocks | undefined;
    }
  | { readonly kind: 'close'; readonly matrix: number }
  | ({ readonly kind: 'upper'; readonly queries: readonly QueryDigits[]; readonly found: UpperScores } & Asked)
  /** Answered when all earlier matrices were opened or have failed. */
  | ({ readonly kind: 'settle' } & Pick<Asked, 'job'>)
  | ({
      readonly kind: 'lower';
      readonly query: QueryDigits;
      readonly ordinals: Int32Array;
      readonly added: Float32Array;
    } & Asked);

lowerThreadPriority();
const matrices = new Map<number, Promise<HeldBlocks>>();
const lowerScorer = LowerScorer.open();

async function scan(request: Extract<ScanRequest, { job: number }>): Promise<void> {
  if (request.kind === 'settle') {
    await Promise.allSettled([lowerScorer, ...matrices.values()]);
    return;
  }
  const held = await matrices.get(request.matrix);
  if (held === undefined) throw new Error('The matrix is closed');
  if (request.kind === 'upper') await held.scanUpper(request.queries, request.found);
  else await held.scanLower(await lowerScorer, request.query, request.ordinals, request.added);
}

function open({ matrix, blockRows, blocks, kept }: Extract<ScanRequest, { kind: 'open' }>): void {
  const of = kept && matrices.get(kept.matrix);
  const held = HeldBlocks.open(blockRows, blocks, kept && of && { of, end: kept.end });
  matrices.set(matrix, held);
  // The error reaches the requesting thread.
  held.catch(() => undefined);
}

async function close(matrix: number): Promise<void> {
  const held = matrices.get(matrix);
  matrices.delete(matrix);
  await (await held?.catch(() => undefined))?.release();
}

const answer = (answered: ThreadAnswer): void => parentPort!.postMessage(answered);

onRequest((request: ScanRequest) => {
  if (request.kind === 'open') open(request);
  else if (request.kind === 'close') void close(request.matrix);
  else
    scan(request).then(
      () => answer({ job: request.job }),
      (error: unknown) => answer({ job: request.job, error }),
    );
});
