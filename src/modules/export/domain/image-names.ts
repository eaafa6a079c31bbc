import { safeFileName, withoutExtension } from '../../../common/platform/text/file-names';
import { normalForm } from '../../../common/platform/text/texts';

const stemOf = (name: string): string => normalForm(withoutExtension(name), 'NFC').toLowerCase();

/**
 * Flat names for the images of one archive. No two differ only in case or extension, which would clash in file systems and label
 * files. Deterministic for the same items in the same order.
 */
export class ImageNames {
  private readonly taken = new Set<string>();

  of(id: string, fileName: string): string {
    const safe = safeFileName(fileName);
    const name = this.taken.has(stemOf(safe)) ? `${id}_${safe}` : safe;
    this.taken.add(stemOf(name));
    return name;
  }
}

export const labelFileName = (imageName: string): string => `${withoutExtension(imageName)}.txt`;
