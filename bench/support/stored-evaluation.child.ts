import type { Figures } from '../../src/common/engine/evaluation/evaluation-result';
import { evaluateStored } from './stored-detections';

const BYTES_PER_KIB = 1_024;

export interface StoredEvaluation {
  readonly seconds: number;
  readonly mostBytes: number;
  readonly metrics: Figures;
}

async function run(folder: string, pictures: number): Promise<void> {
  const started = performance.now();
  const { metrics } = await evaluateStored(folder, pictures);
  const seconds = (performance.now() - started) / 1000;
  const mostBytes = process.resourceUsage().maxRSS * BYTES_PER_KIB;
  process.send!({ seconds, mostBytes, metrics } satisfies StoredEvaluation);
}

void run(process.argv[2]!, Number(process.argv[3]));
