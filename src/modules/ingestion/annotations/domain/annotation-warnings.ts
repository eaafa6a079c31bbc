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

export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${MANY.format(count)} ${count === 1 ? noun : nouns}`;

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

interface UnusedAnnotations {
  readonly boxesOutside: number;
  readonly annotatedVideos: number;
}

/** Sentences about annotations that fit no part of the files that they are of, or none. */
export function unusedAnnotationWarnings(parts: readonly UnusedAnnotations[]): string[] {
  const sum = (count: (part: UnusedAnnotations) => number): number =>
    parts.reduce((total, part) => total + count(part), 0);
  const boxes = sum((part) => part.boxesOutside);
  const videos = sum((part) => part.annotatedVideos);
  return [
    ...(boxes === 0 ? [] : [`${counted(boxes, 'annotated box', 'annotated boxes')} left out: outside of the picture.`]),
    ...(videos === 0 ? [] : [`Annotations of ${counted(videos, 'video')} left out: only images take annotations.`]),
  ];
}
