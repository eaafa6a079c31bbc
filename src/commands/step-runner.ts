import '../common/platform/config/no-telemetry';
import 'reflect-metadata';
import { createInterface } from 'node:readline';
import { ComputePool } from '../common/engine/compute/compute-pool';
import { ForeignFiles } from '../common/engine/compute/readers/foreign-files';
import { KeptRows } from '../common/engine/similarity/elsewhere/kept-rows';
import type {
  RunnerAnswer,
  RunnerGreeting,
  RunnerRefusal,
  RunnerRequest,
} from '../common/engine/steps/runner-messages';
import { StepRunner } from '../common/engine/steps/step-runner';
import { StartError } from '../common/platform/config/configuration-error';
import { readStepRunner, type StepRunnerConfiguration } from '../common/platform/config/step-runner-configuration';
import { SERVICE_VERSION } from '../common/platform/config/version';
import { createStorage } from '../common/platform/storage/create-storage';
import { jsonLine } from '../common/platform/text/lines';
import { AnnotationFiles, SharedAnnotations } from '../modules/tables/annotation-files/annotation-files';
import { tableSteps } from '../modules/tables/table-steps';

// Whatever else is printed must not be taken for an answer.
console.log = console.error;

const say = (message: RunnerGreeting | RunnerRefusal | RunnerAnswer): void => {
  process.stdout.write(jsonLine(message));
};

/** Does the steps that it reads as lines, until its input ends, with compute children that live as long. */
async function runSteps(configuration: StepRunnerConfiguration): Promise<void> {
  // Has no signing key: it signs no URLs.
  const { store, sources } = createStorage({ ...configuration, secretKey: new Uint8Array(32) });
  const pool = new ComputePool(configuration);
  const foreignFiles = new ForeignFiles(configuration);
  const annotations = new SharedAnnotations(new AnnotationFiles(foreignFiles));
  const rows = new KeptRows({ store, dataDir: configuration.dataDir, threads: configuration.workerConcurrency });
  const runner = new StepRunner(store, tableSteps({ store, pool, annotations, sources, rows }));
  const ending = new AbortController();
  say({ ready: true, version: SERVICE_VERSION, steps: runner.stepNames });
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity }))
    void runner.answer(JSON.parse(line) as RunnerRequest, ending.signal).then(say);
  // The driver has gone.
  ending.abort(new Error('The runner is ending'));
  foreignFiles.stop();
  await rows.close();
  await pool.stop();
  process.exit(0);
}

process.stdout.on('error', () => process.exit(1));

try {
  runSteps(readStepRunner()).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  say({ ready: false, reason: error.message });
  process.exitCode = 1;
}
