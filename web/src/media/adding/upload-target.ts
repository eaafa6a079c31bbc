import type { LeftUpload } from './left-uploads';
import type { PathFile } from './picked-files';
import type { BatchLimits } from './upload-rules';

/** The target of an upload. Each call may be repeated after an outage. */
export interface UploadTarget {
  readonly kind: LeftUpload['kind'];
  readonly name: string;
  /** Of one request. */
  readonly most: BatchLimits;
  open(): Promise<void>;
  /** How far the dataset's change is, in percent; null if there is none. Fails if the files sent before could not be used. */
  changePercent(): Promise<number | null>;
  send(files: readonly PathFile[], isLast: boolean, onSent: (part: number) => void): Promise<void>;
  /** After the last batch. Returns reports about the files. */
  finish(): Promise<readonly string[]>;
}

export function formOf(field: string, files: readonly PathFile[]): FormData {
  const form = new FormData();
  for (const { path, file } of files) form.append(field, file, path);
  return form;
}
