import type { AnnotationFileName } from './annotation-file';

/** The file is not what its name promises; the message is one sentence. */
export class MalformedAnnotationError extends Error {}

/** The bytes can't be had just now: no fault of the file, so the work is to be tried again. */
export class AnnotationReadError extends Error {
  constructor(name: AnnotationFileName, options: ErrorOptions) {
    super(`The annotation file ${name} could not be read`, options);
  }
}

const MANY = new Intl.NumberFormat('en-US');

export const counted = (count: number, noun: string): string =>
  `${MANY.format(count)} ${count === 1 ? noun : `${noun}s`}`;

/** Counts what was left out of one file, by its reason. */
export class LeftOut {
  private readonly reasons = new Map<string, { count: number; first: number }>();

  add(reason: string, row: number): void {
    const known = this.reasons.get(reason);
    if (known) known.count += 1;
    else this.reasons.set(reason, { count: 1, first: row });
  }

  /** `noun` is what the file holds: rows, annotations. */
  warnings(name: AnnotationFileName, noun: string): string[] {
    return [...this.reasons].map(([reason, { count, first }]) => {
      const where = count === 1 ? `(number ${MANY.format(first)})` : `(the first is number ${MANY.format(first)})`;
      return `${name}: ${counted(count, noun)} ${where} left out: ${reason}.`;
    });
  }
}
