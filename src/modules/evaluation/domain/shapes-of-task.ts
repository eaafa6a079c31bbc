import type { EvaluationTask } from '../../../common/engine/evaluation/plan';
import type { ShapeKind } from '../../../common/engine/annotations/annotation';
import { BadRequestError } from '../../../common/platform/errors/domain-error';
import type { ShapeCounts } from '../../versions';

/** What is compared; the first is what the task is about. */
const SHAPES_OF_TASK: Readonly<Record<EvaluationTask, readonly ShapeKind[]>> = {
  detection: ['box', 'polygon', 'mask', 'keypoints'],
  segmentation: ['mask', 'polygon'],
  keypoints: ['keypoints'],
  classification: ['label'],
};

const WORDS: Readonly<Record<ShapeKind, readonly [one: string, many: string]>> = {
  label: ['label of a whole picture', 'labels of whole pictures'],
  box: ['box', 'boxes'],
  polygon: ['polygon', 'polygons'],
  mask: ['mask', 'masks'],
  keypoints: ['annotation with keypoints', 'annotations with keypoints'],
};

const ALL_OF = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const ONE_OF = new Intl.ListFormat('en-GB', { type: 'disjunction' });

export class NoShapesError extends BadRequestError {
  constructor(source: string, task: EvaluationTask, counts: ShapeCounts) {
    const wanted = ONE_OF.format(SHAPES_OF_TASK[task].map((kind) => WORDS[kind][1]));
    const given = Object.entries(counts).filter(([, count]) => count > 0) as [ShapeKind, number][];
    const has = given.map(([kind, count]) => `${count} ${WORDS[kind][count === 1 ? 0 : 1]}`);
    super(
      `The source '${source}' has no ${wanted}, which the task ${task} compares. ${has.length === 0 ? 'It is empty.' : `It has ${ALL_OF.format(has)}.`}`,
    );
  }
}

/** Throws if a source has nothing that the task compares. */
export function assertShapes(source: string, task: EvaluationTask, counts: ShapeCounts): void {
  if (SHAPES_OF_TASK[task].every((kind) => counts[kind] === 0)) throw new NoShapesError(source, task, counts);
}
