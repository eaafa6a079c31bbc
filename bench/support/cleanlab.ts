import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LabelledSet } from './labelled-sets';

/** The items that cleanlab reports as mislabelled, for each way to derive class probabilities from the vectors. */
export interface CleanlabResult {
  readonly version: string;
  readonly found: Readonly<Record<string, readonly number[]>>;
}

const MAX_OUTPUT = 2 ** 26;

/** Probabilities never use the label of the judged item: they come from its neighbours, as in cleanlab's Datalab, or from cross-validation. */
const PROGRAM = `
import json, sys, warnings
warnings.filterwarnings('ignore')
import numpy as np, cleanlab
from cleanlab.filter import find_label_issues
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.neighbors import NearestNeighbors
folder, dimension = sys.argv[1], int(sys.argv[2])
vectors = np.fromfile(folder + '/vectors', dtype=np.float32).reshape(-1, dimension)
labels = np.fromfile(folder + '/labels', dtype=np.int32)
classes = labels.max() + 1
rows = np.arange(len(labels))
near = NearestNeighbors(n_neighbors=17, metric='cosine').fit(vectors).kneighbors(vectors, return_distance=False)
near = np.array([[other for other in line if other != row][:16] for row, line in enumerate(near)])
found = {}
for neighbours in (10, 16):
    probabilities = np.zeros((len(labels), classes))
    for column in range(neighbours):
        probabilities[rows, labels[near[:, column]]] += 1 / neighbours
    found['%d neighbours' % neighbours] = find_label_issues(labels, probabilities, n_jobs=1)
model = LogisticRegression(max_iter=100)
found['logistic regression'] = find_label_issues(labels, cross_val_predict(model, vectors, labels, cv=5, method='predict_proba'), n_jobs=1)
print(json.dumps({'version': cleanlab.__version__, 'found': {name: np.flatnonzero(flags).tolist() for name, flags in found.items()}}))
`;

/** Runs cleanlab with the Python at this path, in which cleanlab and scikit-learn are installed. Each class needs five items. */
export function askCleanlab(python: string, set: LabelledSet): CleanlabResult {
  const folder = mkdtempSync(join(tmpdir(), 'label-judges-'));
  try {
    const names = [...new Set(set.labels.map(([label]) => label!))].sort();
    const numbers = Int32Array.from(set.labels, ([label]) => names.indexOf(label!));
    writeFileSync(join(folder, 'vectors'), new Uint8Array(Float32Array.from(set.vectors).buffer));
    writeFileSync(join(folder, 'labels'), new Uint8Array(numbers.buffer));
    const { status, stdout, stderr } = spawnSync(python, ['-c', PROGRAM, folder, String(set.dimension)], {
      encoding: 'utf8',
      maxBuffer: MAX_OUTPUT,
    });
    if (status !== 0) throw new Error(`${python} answered ${status}: ${stderr}`);
    return JSON.parse(stdout) as CleanlabResult;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
