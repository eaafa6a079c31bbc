import { normalForm } from '../../../common/platform/text/texts';

// Characters with a special meaning in some file systems or archive programs.
// eslint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f\\/:*?"<>|]/g;

/** File systems allow 255 bytes; leaves room for an id in front. */
const MOST_BYTES = 200;

const stemOf = (name: string): string => normalForm(withoutExtension(name), 'NFC').toLowerCase();

/**
 * Flat names for the images of one archive. No two differ only in case or extension, which would clash in file systems and label
 * files. Deterministic for the same items in the same order.
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

/** Keeps the extension. */
function shortened(name: string): string {
  const bytes = Buffer.from(name);
  if (bytes.length <= MOST_BYTES) return name;
  let start = bytes.length - MOST_BYTES;
  // Don't cut within a character.
  while ((bytes[start]! & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start).toString();
}
