import { Injectable } from '@nestjs/common';
import type { ReadableFormat } from '../../../common/engine/annotation-formats/read-format';
import type { FileAnnotation } from '../../../common/engine/annotation-formats/file-picture';
import { BadRequestError } from '../../../common/platform/errors/domain-error';
import type { ReceivedFile } from '../../../common/platform/http/multipart';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import { storeSource } from '../../../common/platform/storage/sources/source-location';
import { PublishedStateReader, VersionOpener } from '../../versions';
import { MAX_NAMES } from '../domain/annotation';
import { PictureRows } from './picture-rows';
import { CountedFaults, SourceFilePieces } from './source-file-pieces';

const MOST_READ = 10_000;
const FIRST = 10;

export interface PreviewedAnnotation {
  readonly path: string;
  readonly annotation: FileAnnotation;
  readonly matches: boolean;
}

export interface FilePreview {
  readonly format: ReadableFormat;
  readonly annotations: number;
  readonly pictures: number;
  /** Whether all of the files were read. */
  readonly isComplete: boolean;
  readonly first: readonly PreviewedAnnotation[];
  readonly unmatched: { readonly count: number; readonly names: readonly string[] };
  readonly faults: readonly string[];
}

interface Read {
  readonly format: ReadableFormat;
  readonly first: readonly Omit<PreviewedAnnotation, 'matches'>[];
  /** How many annotations each picture is given. */
  readonly counts: ReadonlyMap<string, number>;
  readonly isComplete: boolean;
  readonly faults: readonly string[];
}

/** What an import of files would find. */
@Injectable()
export class FilePreviews {
  constructor(
    private readonly pieces: SourceFilePieces,
    private readonly states: PublishedStateReader,
    private readonly versions: VersionOpener,
  ) {}

  async of(
    datasetId: string,
    format: ReadableFormat | null,
    files: readonly Pick<ReceivedFile, 'clientName' | 'key'>[],
  ): Promise<FilePreview> {
    const given = files.map(({ clientName: name, key }) => ({ name, source: storeSource(key) }));
    const { counts, first, ...read } = await this.read(format, given).catch((error: unknown) => {
      throw error instanceof PermanentJobError ? new BadRequestError(error.message) : error;
    });
    const unknown = await this.unknownOf(datasetId, [...counts.keys()]);
    return {
      ...read,
      annotations: sumOf(counts.values()),
      pictures: counts.size,
      first: first.map((each) => ({ ...each, matches: !unknown.has(each.path) })),
      unmatched: {
        count: sumOf(Array.from(unknown, (path) => counts.get(path)!)),
        names: [...unknown].slice(0, MAX_NAMES),
      },
    };
  }

  private async read(
    asked: ReadableFormat | null,
    files: readonly { readonly name: string; readonly source: string }[],
  ): Promise<Read> {
    const faults = new CountedFaults();
    const counts = new Map<string, number>();
    const first: Omit<PreviewedAnnotation, 'matches'>[] = [];
    let [format, read] = [asked, 0];
    for await (const piece of this.pieces.read({ format: asked, files })) {
      format = piece.format;
      for (const fault of piece.faults) faults.add(fault);
      read += piece.faults.length;
      for (const { path, annotations } of piece.pictures) {
        counts.set(path, (counts.get(path) ?? 0) + annotations.length);
        for (const text of annotations.slice(0, FIRST - first.length))
          first.push({ path, annotation: JSON.parse(text) as FileAnnotation });
        read += annotations.length;
      }
      if (read >= MOST_READ) return { format, first, counts, isComplete: false, faults: faults.warnings };
    }
    if (format === null) throw new Error('The files were read without a format');
    return { format, first, counts, isComplete: true, faults: faults.warnings };
  }

  /** The names that match no picture of the dataset. */
  private async unknownOf(datasetId: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
    const { pointer } = await this.states.get(datasetId);
    if (pointer === null) return new Set(paths);
    using version = await this.versions.open(pointer);
    const rows = await PictureRows.of(version, paths);
    return new Set(paths.filter((path) => rows.find(path) < 0));
  }
}

const sumOf = (numbers: Iterable<number>): number => Array.from(numbers).reduce((sum, each) => sum + each, 0);
