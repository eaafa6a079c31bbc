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

/**
 * Runs fastdup with the Python at this path, in which it is installed, on a folder of pictures. fastdup checks for updates and reports errors to its
 * vendor, so it runs without a network (`unshare` of Linux).
 */
export function askFastdup(python: string, folder: string): FastdupVectors {
  const work = mkdtempSync(join(tmpdir(), 'fastdup-'));
  try {
    const command = [python, '-c', PROGRAM, folder, work, String(THREADS), String(DIMENSION)];
    const { status, stderr, error } = spawnSync('unshare', ['--map-root-user', '--net', ...command], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: work, SENTRY_OPT_OUT: '1' },
      maxBuffer: MAX_OUTPUT,
    });
    if (error !== undefined) throw error;
    if (status !== 0) throw new Error(`it exited with ${status}: ${stderr.trim().split('\n').at(-1)}`);
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
