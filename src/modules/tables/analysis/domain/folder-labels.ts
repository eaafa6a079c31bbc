import { normalForm } from '../../../../common/platform/text/texts';

/** The name of the folder of a file, as a label; none for files at the root of their source. */
export function folderLabels(path: string): readonly string[] {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const name = normalForm(folder.slice(folder.lastIndexOf('/') + 1), 'NFC').trim();
  return name === '' ? [] : [name];
}
