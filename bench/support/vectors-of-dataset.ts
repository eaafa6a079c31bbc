import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inPython } from './python-client';

export interface VectorsOfDataset {
  readonly names: readonly string[];
  readonly dimension: number;
  /** In the order of the names. */
  readonly vectors: Float32Array;
}

const PROGRAM = `
import json, os, sys
import numpy as np
from dms_client import Client
with Client(sys.argv[1]) as dms:
    dataset = dms.dataset(sys.argv[2])
    with dataset.metadata(progress=False) as metadata:
        frame = metadata.to_pandas()
    names = dict(zip(frame['media_id'], map(os.path.basename, frame['file_path'])))
    with dataset.embeddings(progress=False) as vectors:
        ids, array = vectors.media_ids(), vectors.to_numpy()
array.astype(np.float32).tofile(sys.argv[3])
print(json.dumps({'names': [names[each] for each in ids], 'dimension': array.shape[1]}))
`;

/** The image vectors of a dataset, downloaded with the Python SDK. */
export async function vectorsOfDataset(url: string, datasetId: string): Promise<VectorsOfDataset> {
  const folder = await mkdtemp(join(tmpdir(), 'vectors-'));
  try {
    const file = join(folder, 'vectors');
    const found = await inPython<Omit<VectorsOfDataset, 'vectors'>>(PROGRAM, [url, datasetId, file]);
    const bytes = await readFile(file);
    return { ...found, vectors: new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
