import type { Annotation } from './dataset.js';

/** The maximum per request, with room for the rest of the request. */
const MOST_ANNOTATIONS = 10_000;
const MOST_BYTES = 4 * 1024 * 1024;

const bytesOf = (annotation: Annotation): number => new TextEncoder().encode(JSON.stringify(annotation)).length;

/** Splits annotations into lists that `Dataset.annotate` accepts. */
export function* annotationBatches(annotations: Iterable<Annotation>): Generator<Annotation[], void, undefined> {
  let batch: Annotation[] = [];
  let bytes = 0;
  for (const annotation of annotations) {
    const size = bytesOf(annotation);
    if (batch.length > 0 && (batch.length === MOST_ANNOTATIONS || bytes + size > MOST_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(annotation);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
