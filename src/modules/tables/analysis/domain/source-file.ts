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

/** Whether a changed file differs in its version or its name: those of the store are named by their content. */
export const isVersioned = ({ source, version }: Pick<SourceFile, 'source' | 'version'>): boolean =>
  version !== null || source.startsWith('store:');

export const fileNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
