import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MapLayout } from '../../src/common/engine/similarity/similarity-structure';
import type { KnownGroups } from '../../test/support/known-groups';

const PROGRAM = `
import sys, warnings
warnings.filterwarnings('ignore')
import numpy as np, umap
folder, dimension = sys.argv[1], int(sys.argv[2])
vectors = np.fromfile(folder + '/vectors', dtype=np.float32).reshape(-1, dimension)
places = umap.UMAP(metric='cosine', random_state=1).fit_transform(vectors)
places.T.astype(np.float32).tofile(folder + '/places')
`;

/** The map of umap-learn with its defaults, made with the Python at this path. */
export function umapPlaces(python: string, { vectors, dimension, count }: KnownGroups): MapLayout {
  const folder = mkdtempSync(join(tmpdir(), 'umap-'));
  try {
    writeFileSync(join(folder, 'vectors'), new Uint8Array(Float32Array.from(vectors).buffer));
    const { status, stderr } = spawnSync(python, ['-c', PROGRAM, folder, String(dimension)], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${python} exited with ${status}: ${stderr}`);
    const bytes = readFileSync(join(folder, 'places'));
    const places = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    return { x: places.subarray(0, count), y: places.subarray(count) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
