import type { AnnotationFileName } from '../annotation-files/domain/annotation-file';

/** The files of a source, listed once. It is the checkpoint of the run. */
export interface ListedSource {
  /** Key of the list of media files in the store. */
  readonly key: string;
  readonly files: number;
  /** How the list is cut into parts. */
  readonly partWeight: number;
  readonly annotations: readonly {
    readonly name: AnnotationFileName;
    readonly source: string;
    readonly size: number;
    readonly version: string | null;
  }[];
  /** Whether images and frames are labelled with the name of the folder of their file; false by default. */
  readonly labelsFromFolders?: boolean;
  /** Warnings about parts of the source that could not be listed. */
  readonly warnings: readonly string[];
}
