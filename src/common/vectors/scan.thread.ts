import { parentPort, workerData } from 'node:worker_threads';
import { yieldToOthers } from '../compute/yield-to-others';
import { LowerScorer } from './lower-scorer';
import { PanelScorer } from './panel-scorer';
import { scanLower, scanUpper } from './plane-scans';
import { buffersOf, type QuantisedRows } from './quantised-rows';
import type { QueryDigits } from './query-digits';

export type ScanRequest =
  | { readonly kind: 'open'; readonly matrix: number; readonly blocks: readonly QuantisedRows[] }
  | { readonly kind: 'close'; readonly matrix: number }
  | {
      readonly kind: 'upper';
      readonly job: number;
      readonly matrix: number;
      readonly queries: readonly QueryDigits[];
    }
  | {
      readonly kind: 'lower';
      readonly job: number;
      readonly matrix: number;
      readonly query: QueryDigits;
      readonly ordinals: Int32Array;
    };

export type ScanAnswer =
  { readonly job: number; readonly found: readonly Float32Array[] } | { readonly job: number; readonly error: unknown };

type Asked = Extract<ScanRequest, { job: number }>;

const { threads } = workerData as { threads: number };
yieldToOthers();
const matrices = new Map<number, readonly QuantisedRows[]>();
const opened = Promise.all([PanelScorer.open(threads), LowerScorer.open(threads)]);

async function find(request: Asked): Promise<readonly Float32Array[]> {
  const blocks = matrices.get(request.matrix);
  if (blocks === undefined) throw new Error('The matrix is closed');
  const [panels, lower] = await opened;
  if (request.kind === 'upper') return scanUpper(panels, blocks, request.queries);
  return [await scanLower(lower, blocks, request.query, request.ordinals)];
}

async function answer(request: Asked): Promise<void> {
  const { job } = request;
  try {
    const found = await find(request);
    const message: ScanAnswer = { job, found };
    parentPort!.postMessage(
      message,
      found.map(({ buffer }) => buffer as ArrayBuffer),
    );
  } catch (error) {
    const message: ScanAnswer = { job, error };
    parentPort!.postMessage(message);
  }
}

parentPort!.on('message', (request: ScanRequest) => {
  if (request.kind === 'open') {
    matrices.set(request.matrix, request.blocks);
  } else if (request.kind === 'close') {
    // Frees the memory at once instead of some day.
    for (const buffer of buffersOf(matrices.get(request.matrix) ?? [])) structuredClone(buffer, { transfer: [buffer] });
    matrices.delete(request.matrix);
  } else {
    void answer(request);
  }
});
