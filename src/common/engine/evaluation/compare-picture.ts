import { type Annotation, shapeKindOf } from '../annotations/annotation';
import type { ColumnsBuilder, RankedPicture } from './columns-builder';
import type { PictureSize } from './picture-matcher';
import type { EvaluationPlan } from './plan';
import type { ProtocolRules } from './protocol-rules';

const isLabel = (annotation: Annotation): boolean => shapeKindOf(annotation) === 'label';

/** Labels of whole pictures are compared with each other, and shapes with each other. */
export function comparePicture(
  { task }: EvaluationPlan,
  { matcher }: ProtocolRules,
  builder: ColumnsBuilder,
  picture: RankedPicture & PictureSize,
  truth: readonly Annotation[],
  predictions: readonly Annotation[],
): void {
  const isCompared = (annotation: Annotation): boolean => isLabel(annotation) === (task === 'classification');
  const [ofTruth, ofPredictions] = [truth.filter(isCompared), predictions.filter(isCompared)];
  const pictureLabels = truth.filter(isLabel);
  builder.add(picture, ofTruth, ofPredictions, matcher.compare(picture, ofTruth, ofPredictions, pictureLabels));
}
