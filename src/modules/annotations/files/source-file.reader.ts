import type { FileReader } from '../../../common/engine/compute/readers/reader-messages';
import { faultOf, type FileFault, type FromFile } from '../../../common/engine/annotation-formats/from-file';
import type {
  FileAnnotation,
  FilePicture,
  FrameNumber,
  Skeleton,
} from '../../../common/engine/annotation-formats/file-picture';
import { membersOf, type GivenFile, type Members } from '../../../common/engine/annotation-formats/given-files';
import { MalformedFileError } from '../../../common/engine/annotation-formats/malformed-file';
import { formatOf, readFormat, type ReadableFormat } from '../../../common/engine/annotation-formats/read-format';
import { ArchiveRefusedError, ArchiveTooLargeError } from '../../../common/platform/archives/archive-member';

export interface SourceFiles {
  /** Null if it is told by the content. */
  readonly format: ReadableFormat | null;
  readonly files: readonly { readonly name: string; readonly source: string }[];
}

/** Some annotations of a picture, each as JSON. */
export interface ReadPicture {
  readonly path: string;
  readonly frame: FrameNumber | undefined;
  readonly annotations: readonly string[];
}

export type SourceFilePiece =
  | {
      readonly format: ReadableFormat;
      readonly pictures: readonly ReadPicture[];
      readonly faults: readonly FileFault[];
      readonly skeletons: readonly Skeleton[];
    }
  /** The whole files cannot be used: a sentence about them. */
  | { readonly refused: string };

const MOST_IN_A_PIECE = 1_000;
const CHARACTERS_IN_A_PIECE = 1024 * 1024;

class Piece {
  readonly pictures: (ReadPicture & { annotations: string[] })[] = [];
  readonly faults: FileFault[] = [];
  readonly skeletons: Skeleton[] = [];
  private weight = 0;
  private characters = 0;

  constructor(readonly format: ReadableFormat) {}

  get isFull(): boolean {
    return this.weight >= MOST_IN_A_PIECE || this.characters >= CHARACTERS_IN_A_PIECE;
  }

  addFault(fault: FileFault): void {
    this.faults.push(fault);
    this.weight += 1;
  }

  add({ path, frame }: Pick<FilePicture, 'path' | 'frame'>, annotation: FileAnnotation): void {
    const text = JSON.stringify(annotation);
    const last = this.pictures.at(-1);
    if (last?.path === path && last.frame?.of === frame?.of) last.annotations.push(text);
    else this.pictures.push({ path, frame, annotations: [text] });
    this.weight += 1;
    this.characters += text.length + path.length;
  }
}

/** Runs in a child process. */
export const read: FileReader<SourceFiles, SourceFilePiece> = async function* ({ format: asked, files }, sources) {
  const all = membersOf(files.map(({ name, source }): GivenFile => ({ name, open: () => sources.open(source) })));
  let current = '';
  const members: Members = async function* () {
    for await (const member of all()) {
      current = member.name;
      yield member;
      current = '';
    }
  };
  try {
    const format = asked ?? (await formatOf(members));
    let piece = new Piece(format);
    for await (const each of readFormat(members, format)) {
      for (const [picture, annotation] of annotationsIn(each, piece)) {
        piece.add(picture, annotation);
        if (!piece.isFull) continue;
        yield piece;
        piece = new Piece(format);
      }
      if (!piece.isFull) continue;
      yield piece;
      piece = new Piece(format);
    }
    yield piece;
  } catch (error) {
    const isFault = [MalformedFileError, ArchiveRefusedError, ArchiveTooLargeError].some((of) => error instanceof of);
    if (!isFault) throw error;
    const { message } = error as Error;
    yield { refused: message.includes(current) ? message : `${current}: ${message}` };
  }
};

/** Those that can be stored. */
function* annotationsIn(each: FromFile, piece: Piece): Generator<readonly [FilePicture, FileAnnotation]> {
  if ('fault' in each) {
    piece.addFault(each.fault);
    return;
  }
  piece.skeletons.push(...(each.skeletons ?? []));
  for (const annotation of each.annotations) {
    const fault = faultOf(annotation);
    if (fault === undefined) yield [each, annotation];
    else piece.addFault({ ...each.from, ...fault });
  }
}
