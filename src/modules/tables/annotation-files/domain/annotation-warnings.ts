import type { AnnotationFileName } from './annotation-file';

/** The file is not in the expected format; the message is one sentence. */
export class MalformedAnnotationError extends Error {}

/** The bytes can't be read at the moment; not a fault of the file, so the work should be retried. */
export class AnnotationReadError extends Error {
  constructor(name: AnnotationFileName, options: ErrorOptions) {
    super(`The annotation file ${name} could not be read`, options);
  }
}

const MANY = new Intl.NumberFormat('en-US');

export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${MANY.format(count)} ${count === 1 ? noun : nouns}`;

/** Counts rejected rows of one file, by reason. */
export class RejectedRows {
  private readonly reasons = new Map<string, { count: number; first: number }>();

  add(reason: string, row: number): void {
    const known = this.reasons.get(reason);
    if (known) known.count += 1;
    else this.reasons.set(reason, { count: 1, first: row });
  }

  /** `noun` names the entries of the file, such as row or element. */
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

/** Warnings about annotations that don't apply to their files. */
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
