import { InferenceSession, Tensor } from 'onnxruntime-node';

export interface BareOnnxRun {
  readonly file: string;
  readonly runs: number;
  /** The side of the square input; exported models may leave it variable. */
  readonly side: number;
}

const TOKENS = 2;

/** Runs a model repeatedly on the same input tensors. */
async function run({ file, runs, side }: BareOnnxRun): Promise<void> {
  const session = await InferenceSession.create(file, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
  });
  const feeds = Object.fromEntries(session.inputMetadata.map((input) => [input.name, readyTensor(input, side)]));
  await session.run(feeds);
  process.send!('warm');
  process.once('message', () => {
    void (async () => {
      for (let at = 0; at < runs; at++) await session.run(feeds);
      process.send!('done');
    })();
  });
}

function readyTensor(input: InferenceSession['inputMetadata'][number], side: number): Tensor {
  if (!input.isTensor) throw new Error(`${input.name} is not a tensor`);
  const lengths = input.shape.map((length, at) => (typeof length === 'number' ? length : at === 0 ? 1 : undefined));
  const open = input.shape.length === 2 ? TOKENS : side;
  const shape = lengths.map((length, at) => length ?? (input.shape.length === 4 && at === 1 ? 3 : open));
  const size = shape.reduce((product, length) => product * length, 1);
  switch (input.type) {
    case 'int64':
      return new Tensor('int64', new BigInt64Array(size).fill(1n), shape);
    case 'uint8':
      return new Tensor('uint8', new Uint8Array(size).fill(128), shape);
    case 'float32':
      return new Tensor('float32', new Float32Array(size).fill(0.1), shape);
    default:
      throw new Error(`${input.name} is of type ${input.type}`);
  }
}

process.once('message', (work: BareOnnxRun) => void run(work));
// Stays alive after its work, so that its CPU time can be read.
process.once('disconnect', () => process.exit());
