import { safeFileName, withoutExtension } from '../../platform/text/file-names';
import { normalForm } from '../../platform/text/texts';

const DOTS = /^\.{1,2}$/;

export const safeSegment = (segment: string): string => (DOTS.test(segment) ? '_' : safeFileName(segment));

/** A relative path for any file system that stays in its folder. */
export const safePath = (path: string): string =>
  path
    .split('/')
    .filter((segment) => segment !== '')
    .map(safeSegment)
    .join('/');

/**
 * Names without an extension for the files about pictures, in the folders of the pictures. No two differ only in case. Deterministic for the same paths
 * in the same order.
 */
export class MemberNames {
  /** How often a name was asked for. */
  private readonly taken = new Map<string, number>();

  of(path: string): string {
    return this.unique(withoutExtension(safePath(path)) || '_');
  }

  unique(stem: string): string {
    for (let name = stem; ;) {
      const key = normalForm(name, 'NFC').toLowerCase();
      const times = this.taken.get(key) ?? 0;
      this.taken.set(key, times + 1);
      if (times === 0) return name;
      name = `${stem}_${times + 1}`;
    }
  }
}

/** Labels or classes, numbered from 0 in order of first occurrence. */
export class LabelNumbers {
  private readonly numbers = new Map<string, number>();

  get names(): string[] {
    return [...this.numbers.keys()];
  }

  numberOf(label: string): number {
    let number = this.numbers.get(label);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(label, number);
    }
    return number;
  }
}
