import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ToolFigures {
  /** In the order of the tool: ten of keypoints, otherwise twelve. */
  readonly stats: readonly number[];
  /** The average precision of each category. */
  readonly classes: readonly number[];
}

const PROGRAM = `
import contextlib, io, json, sys
import numpy as np
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval
kinds = {'detection': 'bbox', 'segmentation': 'segm', 'keypoints': 'keypoints'}
for line in open(sys.argv[1]):
    given = json.loads(line)
    with contextlib.redirect_stdout(io.StringIO()):
        truth = COCO()
        truth.dataset = given['truth']
        truth.createIndex()
        measured = COCOeval(truth, truth.loadRes(given['results']), kinds[given['task']])
        measured.evaluate(); measured.accumulate(); measured.summarize()
    precision = measured.eval['precision'][:, :, :, 0, -1]
    classes = [float(np.mean(of[of > -1])) if (of > -1).any() else -1 for of in np.moveaxis(precision, 2, 0)]
    print(json.dumps({'stats': [float(value) for value in measured.stats], 'classes': classes}))
`;

const MAX_OUTPUT = 2 ** 28;

/** What pycocotools, with the Python at this path, says of each set. */
export function askCocoTools(python: string, sets: readonly object[]): ToolFigures[] {
  const folder = mkdtempSync(join(tmpdir(), 'coco-sets-'));
  try {
    const file = join(folder, 'sets.jsonl');
    writeFileSync(file, sets.map((set) => `${JSON.stringify(set)}\n`).join(''));
    const { status, stdout, stderr } = spawnSync(python, ['-c', PROGRAM, file], {
      encoding: 'utf8',
      maxBuffer: MAX_OUTPUT,
    });
    if (status !== 0) throw new Error(`${python} answered ${status}: ${stderr}`);
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ToolFigures);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
