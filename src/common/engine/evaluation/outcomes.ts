/** What became of a prediction. All but the first two are mistakes, sorted as TIDE does. */
export const PREDICTION_OUTCOMES = [
  /** Not counted: over a crowd or an ignored annotation, or beyond the detections of a picture. */
  'ignored',
  'tp',
  /** It lies well over an annotation of another label. */
  'wrong_class',
  /** The label is right, but too little of the annotation is covered. */
  'poor_box',
  'wrong_class_and_box',
  /** The annotation is found by a prediction with a higher confidence. */
  'double',
  'background',
] as const;
export type PredictionOutcome = (typeof PREDICTION_OUTCOMES)[number];

export const codeOf = (outcome: PredictionOutcome): number => PREDICTION_OUTCOMES.indexOf(outcome);

export const NONE = -1;

/**
 * What became of each annotation of the truth and each prediction when they were compared once, whatever their confidence. At a confidence, predictions
 * below it do not count, and the annotations that only these found are missed.
 */
export interface OutcomeColumns {
  /** By picture, as of a segment of annotations. */
  readonly ids: Uint32Array;
  /** Annotation i of the truth of picture p is at truthFirsts[p] + i; one more than pictures. */
  readonly truthFirsts: Int32Array;
  /** By annotation of the truth: a number of `labels`. */
  readonly truthLabels: Int32Array;
  /** In square pixels; NaN for labels of whole pictures. */
  readonly truthAreas: Float32Array;
  /** Whether it counts: 0 for crowds and those to ignore. */
  readonly truthCounts: Uint8Array;
  /** The prediction that found it, or NONE. */
  readonly truthPartners: Int32Array;
  /** The `wrong_class` prediction over it with the highest confidence, or NONE. */
  readonly truthClaims: Int32Array;
  /** As `annotationKey`. */
  readonly truthKeys: Uint32Array;
  readonly predictionFirsts: Int32Array;
  readonly predictionLabels: Int32Array;
  readonly predictionAreas: Float32Array;
  /** 1 without one. */
  readonly confidences: Float64Array;
  /** A place in PREDICTION_OUTCOMES. */
  readonly outcomes: Uint8Array;
  /** The annotation of the truth that the outcome is about, or NONE. */
  readonly partners: Int32Array;
  /** How well it covers its partner: IoU, or the similarity of keypoints; 0 without one, 1 for labels of whole pictures. */
  readonly ious: Float32Array;
  readonly predictionKeys: Uint32Array;
}

/** Immutable. */
export interface Outcomes {
  readonly columns: OutcomeColumns;
  /** Of both sources, in the order of their code units. */
  readonly labels: readonly string[];
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Tells the annotations of a picture apart, and one from what it was before a change. */
export function annotationKey({ id, version }: { readonly id: string; readonly version: number }): number {
  let hash = FNV_OFFSET;
  const text = `${id} ${version}`;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  return hash >>> 0;
}
