import { writeSync } from 'node:fs';
import { RayJobs } from '../../../src/common/engine/ray/ray-jobs';
import { RaySteps } from '../../../src/common/engine/ray/ray-steps';
import type { NeighbourSearch } from '../../../src/common/engine/similarity/threads/structure-thread';
import { readStepRunner } from '../../../src/common/platform/config/step-runner-configuration';
import { createStorage } from '../../../src/common/platform/storage/create-storage';
import { RayNeighbours } from '../../../src/modules/tables/neighbours/ray-neighbours';
import { compareRows, limitsOf, type ComparisonSize } from '../compared-rows';

/** Waits after the first result, until it is killed. */
class StoppedNeighbours extends RayNeighbours {
  override searchOf(...of: Parameters<RayNeighbours['searchOf']>): NeighbourSearch {
    const search = super.searchOf(...of);
    const onProgress = (): void => {
      writeSync(1, 'begun\n');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    };
    return (ordered, options) => search(ordered, { ...options, onProgress });
  }
}

/** Compares rows with a Ray cluster. */
async function main(address: string, token: string, taskId: string, size: ComparisonSize): Promise<void> {
  const configuration = readStepRunner();
  const { store } = createStorage({ ...configuration, secretKey: new Uint8Array(32) });
  const steps = new RaySteps(store, new RayJobs({ address, token, timeoutMs: 30_000 }));
  const engine = new StoppedNeighbours(steps, store, limitsOf(size));
  await compareRows({ engine, size, dataDir: configuration.dataDir, taskId });
}

const [address, token, taskId, size] = process.argv.slice(2);
void main(address!, token!, taskId!, JSON.parse(size!) as ComparisonSize);
