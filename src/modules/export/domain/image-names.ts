import { normalForm } from '../../../common/platform/text/normal-form';

// What some file system or archive program would take for something else.
// eslint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f\\/:*?"<>|]/g;

/** File systems take 255 bytes; an id may come in front. */
const MOST_BYTES = 200;

const stemOf = (name: string): string => normalForm(withoutExtension(name), 'NFC').toLowerCase();

/**
 * Flat names for the images of one archive. No two differ in capitals or extension only: file systems and label files
 * would mix them up. Asked for the same items in the same order, it gives the same names.
 */
export class ImageNames {
  private readonly taken = new Set<string>();

  of(id: string, fileName: string): string {
    const safe = shortened(fileName.replace(UNSAFE, '_'));
    const name = this.taken.has(stemOf(safe)) ? `${id}_${safe}` : safe;
    this.taken.add(stemOf(name));
    return name;
  }
}

export const labelFileName = (imageName: string): string => `${withoutExtension(imageName)}.txt`;

function withoutExtension(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot === -1 ? name : name.slice(0, dot);
}

/** The end stays, for it tells the kind of the file. */
function shortened(name: string): string {
  const bytes = Buffer.from(name);
  if (bytes.length <= MOST_BYTES) return name;
  let start = bytes.length - MOST_BYTES;
  // Not within a character.
  while ((bytes[start]! & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start).toString();
}
