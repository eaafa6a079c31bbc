export const EVALUATION_TASKS = ['detection', 'segmentation', 'keypoints', 'classification'] as const;
export type EvaluationTask = (typeof EVALUATION_TASKS)[number];

export const PROTOCOLS = ['coco', 'voc', 'open_images'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

export interface EvaluationOptions {
  /** From which a prediction has found an annotation: the overlap, or the similarity of keypoints. Figures that COCO defines at others are at those. */
  readonly iou: number;
  /** Of a label in a picture, those with the highest confidence. */
  readonly maxDetections: number;
  /** Whether an annotation may be found by a prediction of another label. */
  readonly classAgnostic: boolean;
  /** Where figures begin; that with the best F1 over all labels if it is absent. */
  readonly confidence?: number;
  /** By label, instead of `confidence`. */
  readonly classConfidences?: Readonly<Record<string, number>>;
  /** Of keypoints, by point. Those of COCO if they are absent and there are 17 points, otherwise one by the number of points. */
  readonly sigmas?: readonly number[];
  /** Of the precision-recall curve of VOC. */
  readonly vocPoints: 'all' | '11';
  /** Of labels of Open Images. */
  readonly hierarchy?: readonly (readonly [child: string, parent: string])[];
  /** Of Open Images: whether a prediction counts only if its label is known to be in its picture or not. */
  readonly verified?: boolean;
  /** Of top-k accuracy. */
  readonly k: readonly number[];
  /** How many labels of whole pictures are true; by the truth if it is absent: single if no picture has more than one. */
  readonly labels?: 'single' | 'multi';
}

export interface EvaluationPlan {
  readonly task: EvaluationTask;
  readonly protocol: Protocol;
  readonly options: EvaluationOptions;
}

const MOST_DETECTIONS = 100;
const MOST_OF_KEYPOINTS = 20;

/** With the defaults of what is not given. */
export const planOf = (
  task: EvaluationTask,
  protocol: Protocol,
  options: Partial<EvaluationOptions> = {},
): EvaluationPlan => ({
  task,
  protocol,
  options: {
    iou: 0.5,
    maxDetections: task === 'keypoints' ? MOST_OF_KEYPOINTS : MOST_DETECTIONS,
    classAgnostic: false,
    vocPoints: 'all',
    k: [1, 5],
    ...options,
  },
});
