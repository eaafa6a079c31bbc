import type { FromFile } from '../from-file';
import type { Members } from '../given-files';
import { fileIn, folderIn } from '../member-texts';

const PICTURE = /\.(?:jpe?g|png|webp|gif|bmp|tiff?|avif|heic|jp2)$/i;

/** Pictures in folders that are named after their class. */
export async function* readClassFolders(members: Members): AsyncGenerator<FromFile> {
  for await (const { name: file } of members()) {
    const label = fileIn(folderIn(file).slice(0, -1));
    if (PICTURE.test(file) && label !== '') yield { path: file, annotations: [{ label }], from: { file } };
  }
}
