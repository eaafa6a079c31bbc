import type { Annotation } from '../../../common/engine/annotations/annotation';

/** An annotation, and where it is. */
export interface ListedAnnotation {
  readonly annotation: Annotation;
  readonly mediaId: string;
  readonly path: string;
  readonly source: string;
}
