import { ANNOTATE_MEDIA } from './jobs/annotation-parameters';

export { AnnotateMediaUseCase } from './annotate-media.use-case';
export type { Annotation } from './domain/annotation';
export { AnnotationsModule } from './annotations.module';
export { annotationsPersistence } from './persistence';
export const ANNOTATION_JOBS = [ANNOTATE_MEDIA];
