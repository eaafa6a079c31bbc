import { ANNOTATE_MEDIA } from './jobs/annotate-media.job';

export { AnnotateMediaUseCase } from './annotate-media.use-case';
export type { Annotation } from './domain/annotation';
export { AnnotationsModule } from './annotations.module';
export const ANNOTATION_JOBS = [ANNOTATE_MEDIA];
