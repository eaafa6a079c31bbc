import { ANNOTATE_MEDIA } from './jobs/annotate-media.job';

export { AnnotationsModule } from './annotations.module';
export const ANNOTATION_JOBS = [ANNOTATE_MEDIA];
