import { normalForm } from '../../../../common/platform/text/texts';

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

/** The name of the folder of a file, as a label; none for files at the root of their source. */
export function folderLabels(path: string): readonly string[] {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const name = normalForm(folder.slice(folder.lastIndexOf('/') + 1), 'NFC').trim();
  return name === '' ? [] : [name];
}
