export { AnnotateMediaUseCase } from './annotate-media.use-case';
export type { Annotation } from './domain/annotation';
export { AnnotationsModule } from './annotations.module';
export { annotationsPersistence } from './persistence/schema';
