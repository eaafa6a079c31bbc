import { Injectable } from '@nestjs/common';
import type { ReadableFormat } from '../../../common/engine/annotation-formats/read-format';
import type { FileAnnotation } from '../../../common/engine/annotation-formats/file-picture';
import { BadRequestError } from '../../../common/platform/errors/domain-error';
import type { ReceivedFile } from '../../../common/platform/http/multipart';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import { storeSource } from '../../../common/platform/storage/sources/source-location';
import { PublishedStateReader, VersionOpener } from '../../versions';
import { MAX_NAMES } from '../domain/annotation';
import { FrameRows } from './frame-rows';
import { PictureRows } from './picture-rows';
import type { ReadPicture } from './source-file.reader';
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
  readonly first: readonly (Omit<PreviewedAnnotation, 'matches'> & { readonly key: string })[];
  /** By path and frame: how many annotations each picture is given. */
  readonly pictures: ReadonlyMap<string, GivenPicture>;
  readonly isComplete: boolean;
  readonly faults: readonly string[];
}

interface GivenPicture extends Pick<ReadPicture, 'path' | 'frame'> {
  count: number;
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
    const { pictures, first, ...read } = await this.read(format, given).catch((error: unknown) => {
      throw error instanceof PermanentJobError ? new BadRequestError(error.message) : error;
    });
    const unknown = await this.unknownOf(datasetId, pictures);
    return {
      ...read,
      annotations: sumOf([...pictures.values()]),
      pictures: pictures.size,
      first: first.map(({ key, ...each }) => ({ ...each, matches: !unknown.has(key) })),
      unmatched: {
        count: sumOf([...unknown.values()]),
        names: [...new Set(Array.from(unknown.values(), ({ path }) => path))].slice(0, MAX_NAMES),
      },
    };
  }

  private async read(
    asked: ReadableFormat | null,
    files: readonly { readonly name: string; readonly source: string }[],
  ): Promise<Read> {
    const faults = new CountedFaults();
    const pictures = new Map<string, GivenPicture>();
    const first: Read['first'][number][] = [];
    let [format, read] = [asked, 0];
    for await (const piece of this.pieces.read({ format: asked, files })) {
      format = piece.format;
      for (const fault of piece.faults) faults.add(fault);
      read += piece.faults.length;
      for (const { path, frame, annotations } of piece.pictures) {
        const key = JSON.stringify([path, frame?.of]);
        const picture = pictures.get(key) ?? { path, frame, count: 0 };
        picture.count += annotations.length;
        pictures.set(key, picture);
        for (const text of annotations.slice(0, FIRST - first.length))
          first.push({ key, path, annotation: JSON.parse(text) as FileAnnotation });
        read += annotations.length;
      }
      if (read >= MOST_READ) return { format, first, pictures, isComplete: false, faults: faults.warnings };
    }
    if (format === null) throw new Error('The files were read without a format');
    return { format, first, pictures, isComplete: true, faults: faults.warnings };
  }

  /** What matches no picture of the dataset. */
  private async unknownOf(datasetId: string, pictures: Read['pictures']): Promise<Read['pictures']> {
    const { pointer } = await this.states.get(datasetId);
    if (pointer === null) return pictures;
    using version = await this.versions.open(pointer);
    const given = [...pictures.values()];
    const rows = await PictureRows.of(
      version,
      given.map(({ path }) => path),
    );
    const frames = given.some(({ frame }) => frame !== undefined) ? await FrameRows.of(version) : undefined;
    const isKnown = ({ path, frame }: GivenPicture): boolean =>
      rows.find(path) >= 0 || (frame !== undefined && frames!.find(frame) >= 0);
    return new Map([...pictures].filter(([, picture]) => !isKnown(picture)));
  }
}

const sumOf = (pictures: readonly GivenPicture[]): number => pictures.reduce((sum, { count }) => sum + count, 0);
