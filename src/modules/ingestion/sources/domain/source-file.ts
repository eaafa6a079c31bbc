/** One media file of a source, as listed before indexing begins. */
export interface SourceFile {
  /** `store:<key>`, `file:///…` or `s3://bucket/key`. */
  readonly source: string;
  /** Relative to the source, with `/`. */
  readonly path: string;
  readonly size: number;
  /** The ETag of the file in the listing; null if the source has none. */
  readonly version: string | null;
}

export const fileNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
