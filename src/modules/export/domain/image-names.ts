// What some file system or archive program would take for something else.
// eslint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f\\/:*?"<>|]/g;

const stemOf = (name: string): string => name.replace(/\.[^.]*$/, '').toLowerCase();

/**
 * Flat names for the images of one archive. No two differ in capitals or extension only: file systems and label files
 * would mix them up. Asked for the same items in the same order, it gives the same names.
 */
export class ImageNames {
  private readonly taken = new Set<string>();

  of(id: string, fileName: string): string {
    const safe = fileName.replace(UNSAFE, '_');
    const name = this.taken.has(stemOf(safe)) ? `${id}_${safe}` : safe;
    this.taken.add(stemOf(name));
    return name;
  }
}

export const labelFileName = (imageName: string): string => `${imageName.replace(/\.[^.]*$/, '')}.txt`;
