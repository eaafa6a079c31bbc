import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Unit vectors, one for each file in alphabetical order. */
export interface FastdupVectors {
  readonly version: string;
  readonly dimension: number;
  readonly vectors: Float32Array;
}

const MAX_OUTPUT = 2 ** 26;
const THREADS = 2;
const DIMENSION = 576;

/** Computes features with the model included in the package. */
const PROGRAM = `
import json, os, sys
import numpy as np, fastdup
folder, work, threads, dimension = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
status = fastdup.run(folder, work, run_mode=1, num_threads=threads)
names, features = fastdup.load_binary_feature(work + '/atrain_features.dat', d=dimension)
names = [os.path.basename(name) for name in names]
if status != 0 or sorted(names) != sorted(os.listdir(folder)):
    sys.exit('%d of %d pictures were read' % (len(names), len(os.listdir(folder))))
features = features[np.argsort(names)]
features = features / np.linalg.norm(features, axis=1, keepdims=True)
features.astype(np.float32).tofile(work + '/vectors')
with open(work + '/version', 'w') as file:
    file.write(fastdup.__version__)
`;

/** Features, neighbours and everything else that it finds by default. */
const WHOLE_RUN = `
import sys, fastdup
if fastdup.run(sys.argv[1], sys.argv[2], num_threads=int(sys.argv[3])) != 0:
    sys.exit('the run failed')
`;

/**
 * Runs fastdup with the Python at this path, in which it is installed. fastdup checks for updates and reports errors to its
 * vendor, so it runs without a network (`unshare` of Linux).
 */
function runFastdup(python: string, program: string, work: string, folder: string, ...rest: string[]): void {
  const command = [python, '-c', program, folder, work, ...rest];
  const { status, stderr, error } = spawnSync('unshare', ['--map-root-user', '--net', ...command], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: work, SENTRY_OPT_OUT: '1' },
    maxBuffer: MAX_OUTPUT,
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`it exited with ${status}: ${stderr.trim().split('\n').at(-1)}`);
}

/** How long a whole run over a folder of pictures takes. */
export function secondsOfFastdup(python: string, folder: string): number {
  const work = mkdtempSync(join(tmpdir(), 'fastdup-'));
  try {
    const started = performance.now();
    runFastdup(python, WHOLE_RUN, work, folder, String(THREADS));
    return (performance.now() - started) / 1000;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

export function askFastdup(python: string, folder: string): FastdupVectors {
  const work = mkdtempSync(join(tmpdir(), 'fastdup-'));
  try {
    runFastdup(python, PROGRAM, work, folder, String(THREADS), String(DIMENSION));
    const bytes = readFileSync(join(work, 'vectors'));
    return {
      version: readFileSync(join(work, 'version'), 'utf8'),
      dimension: DIMENSION,
      vectors: new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)),
    };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
