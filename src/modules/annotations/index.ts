export { AnnotationListReader } from './annotation-list.reader';
export { AnnotateMediaUseCase } from './annotate-media.use-case';
export {
  ChangeSourceUseCase,
  type EditContext,
  type EditOutcome,
  type PictureEdits,
  type SourceEdits,
} from './change-source.use-case';
export { UndoChangeUseCase, type UndoOutcome } from './undo-change.use-case';
export { ChangeNotFoundError } from './domain/annotation-change';
export type { Edit, SourceMode } from './domain/source-change';
export type { Annotation } from './domain/annotation';
export { AnnotationsModule } from './annotations.module';
export { annotationsPersistence } from './persistence/schema';
