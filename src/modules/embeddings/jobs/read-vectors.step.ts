import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { failpoint } from '../../../common/platform/config/failpoint';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import { CountedNames, type EmbeddingUpload, type Naming } from '../domain/embedding-upload';
import { VectorFiles } from '../files/vector-files';
import type { VectorBlock } from '../files/vector-block';
import { SpooledVectors } from './spooled-vectors';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { normalizedPath } from '../../tables';

const AMBIGUOUS = -1;
const NAMED_BY_PATH: readonly MediaRow['kind'][] = ['IMAGE', 'FRAME'];

type NamedRow = Pick<MediaRow, 'id' | 'kind' | 'path'>;

/** The places of media in their table, by name. */
class MediaPlaces {
  private readonly places = new Map<string, number>();

  private constructor(private readonly naming: Naming) {}

  static async of(table: MediaTable, naming: Naming): Promise<MediaPlaces> {
    const found = new MediaPlaces(naming);
    for await (const [ordinal, row] of rowsWithVector(table)) found.add(ordinal, row);
    return found;
  }

  /** Undefined if nothing has the name, and 'ambiguous' if several media do. */
  find(name: string): number | 'ambiguous' | undefined {
    const place = this.places.get(this.naming === 'media_id' ? name.toLowerCase() : normalizedPath(name));
    return place === AMBIGUOUS ? 'ambiguous' : place;
  }

  private add(ordinal: number, { id, kind, path }: NamedRow): void {
    if (this.naming === 'media_id') this.places.set(id, ordinal);
    else if (NAMED_BY_PATH.includes(kind)) {
      const name = normalizedPath(path);
      this.places.set(name, this.places.has(name) ? AMBIGUOUS : ordinal);
    }
  }
}

export interface ReadVectors {
  readonly vectors: SpooledVectors;
  readonly meanCosine: number;
  /** Messages for the user. */
  readonly warnings: readonly string[];
}

class Names {
  readonly unknown = new CountedNames();
  readonly ambiguous = new CountedNames();
  readonly repeated = new CountedNames();
  total = 0;
  matched = 0;
}

/** Reads a file of vectors, and puts them in the order of the media that they are named after. */
@Injectable()
export class ReadVectorsStep {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly files: VectorFiles,
  ) {}

  /** The caller closes the vectors. Throws PermanentJobError with a sentence if they do not fit the media. */
  async read(
    upload: EmbeddingUpload,
    table: MediaTable,
    signal: AbortSignal,
    onPart: (part: number) => void,
  ): Promise<ReadVectors> {
    let vectors: SpooledVectors | undefined;
    let places: MediaPlaces | undefined;
    let rows = 0;
    let meanCosine = 0;
    const names = new Names();
    try {
      for await (const piece of this.files.piecesOf(upload)) {
        signal.throwIfAborted();
        if (piece.kind === 'head') {
          rows = piece.rows;
          const folder = join(this.configuration.dataDir, 'spool');
          vectors = await SpooledVectors.create(folder, table.rows, piece.dimension);
          places = await MediaPlaces.of(table, piece.naming);
        } else if (piece.kind === 'block') {
          await vectors!.write(piece, placesOf(piece, places!, vectors!, names));
          onPart(names.total / rows);
        } else meanCosine = piece.meanCosine;
      }
      const warnings = [...unknownWarnings(names), ...(await this.assertFit(names, vectors!, table, upload))];
      failpoint('vectors-read');
      return { vectors: vectors!, meanCosine, warnings };
    } catch (error) {
      await vectors?.close();
      throw error;
    }
  }

  /** Returns warnings. */
  private async assertFit(
    { ambiguous, repeated, matched, unknown, total }: Names,
    vectors: SpooledVectors,
    table: MediaTable,
    { allowMissing }: EmbeddingUpload,
  ): Promise<string[]> {
    if (ambiguous.count > 0)
      throw new PermanentJobError(
        `${ambiguous.count} of ${total} names belong to several media of the dataset: ${ambiguous.toString()}. Name the vectors by media_id.`,
      );
    if (repeated.count > 0)
      throw new PermanentJobError(
        `${repeated.count} media have more than one vector: ${repeated.toString()}. Leave one of each.`,
      );
    if (matched === 0)
      throw new PermanentJobError(
        `None of the ${total} names belongs to a medium of the dataset: ${unknown.toString()}.`,
      );
    const missing = new CountedNames();
    let all = 0;
    for await (const [ordinal, { id, kind, path }] of rowsWithVector(table)) {
      all += 1;
      if (!vectors.has(ordinal)) missing.add(kind === 'OBJECT' ? `the object ${id}` : path);
    }
    if (missing.count === 0) return [];
    const sentence = `${missing.count} of ${all} media have no vector: ${missing.toString()}.`;
    if (allowMissing) return [`${sentence} They are like no other.`];
    throw new PermanentJobError(
      `${sentence} Send one for each image, frame and object, or send allow_missing=true: media without a vector are like no other.`,
    );
  }
}

/** The row of each vector of a block; -1 for unusable vectors. */
function placesOf(block: VectorBlock, places: MediaPlaces, vectors: SpooledVectors, names: Names): Int32Array {
  return Int32Array.from(block.names, (name) => {
    names.total += 1;
    const place = places.find(name);
    if (place === undefined) names.unknown.add(name);
    else if (place === 'ambiguous') names.ambiguous.add(name);
    else if (vectors.has(place)) names.repeated.add(name);
    else {
      vectors.mark(place);
      names.matched += 1;
      return place;
    }
    return -1;
  });
}

const unknownWarnings = ({ unknown, total }: Names): string[] =>
  unknown.count === 0
    ? []
    : [`${unknown.count} of ${total} vectors belong to no medium of the dataset: ${unknown.toString()}.`];

/** The rows that have a vector: videos have none, their frames do. */
async function* rowsWithVector(table: MediaTable): AsyncGenerator<[ordinal: number, row: NamedRow]> {
  let ordinal = 0;
  for await (const batch of table.readRows(['id', 'kind', 'path'])) {
    for (const row of batch) {
      if (row.kind !== 'VIDEO') yield [ordinal, row];
      ordinal += 1;
    }
  }
}
