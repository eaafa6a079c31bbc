import type { MetadataValue } from '../../../common/engine/media-table/media-row';
import type { AnnotationIndex } from '../../tables';
import type { Annotation, GivenObject } from '../domain/annotation';
import { MAX_NAMES, type Unmatched } from '../domain/unmatched';
import { isPicture, type GivenAnnotations, type NamedRow } from './given-annotations';

/** The annotations of files; everything else stays unchanged. */
export class AnnotationsOfFiles implements GivenAnnotations {
  readonly byPath = true;
  readonly changesLabels: boolean;
  readonly changesRows: boolean;

  constructor(private readonly index: AnnotationIndex) {
    this.changesLabels = index.hasLabels;
    this.changesRows = index.hasLabels || index.hasCaptions || index.hasFields;
  }

  get hasObjects(): boolean {
    return this.index.objectCount > 0;
  }

  about(row: NamedRow): readonly Annotation[] {
    const found = isPicture(row) ? this.index.get(row.path) : undefined;
    if (found === undefined) return [];
    const { labels, caption, objects, fields } = found;
    return [
      {
        ...(labels.length > 0 && { labels }),
        ...(caption !== null && { caption }),
        // Each has its type by now.
        ...(fields !== undefined && { metadata: fields as readonly MetadataValue[] }),
        ...(objects.length > 0 && {
          objects: objects.map(({ label, confidence = null, ...box }): GivenObject => ({
            label,
            box,
            unit: 'pixels',
            confidence,
          })),
        }),
      },
    ];
  }

  async unmatched(rows: AsyncIterable<NamedRow>): Promise<Unmatched> {
    const { count, examples } = await this.index.unknownFiles(pathsOf(rows), MAX_NAMES);
    return { names: examples, count, total: this.index.fileCount };
  }
}

async function* pathsOf(rows: AsyncIterable<NamedRow>): AsyncGenerator<string> {
  for await (const row of rows) if (isPicture(row)) yield row.path;
}
