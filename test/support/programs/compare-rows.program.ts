import { RayJobs } from '../../../src/common/engine/ray/ray-jobs';
import { RaySteps } from '../../../src/common/engine/ray/ray-steps';
import { readStepRunner } from '../../../src/common/platform/config/step-runner-configuration';
import { createStorage } from '../../../src/common/platform/storage/create-storage';
import { RayNeighbours } from '../../../src/modules/tables/neighbours/ray-neighbours';
import { compareRows, LEAST_VECTORS } from '../compared-rows';

/** Compares rows by a Ray cluster, to be killed meanwhile. */
async function main(address: string, token: string, taskId: string): Promise<void> {
  const configuration = readStepRunner();
  const { store } = createStorage({ ...configuration, secretKey: new Uint8Array(32) });
  const steps = new RaySteps(store, new RayJobs({ address, token, timeoutMs: 30_000 }));
  const { dataDir } = configuration;
  console.log('started');
  await compareRows({ engine: new RayNeighbours(steps, store, LEAST_VECTORS), dataDir, taskId });
  console.log('compared');
}

const [address, token, taskId] = process.argv.slice(2);
void main(address!, token!, taskId!);
