import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import { Pace } from '../../../common/platform/concurrency/in-slices';
import type { AnnotationSource } from '../../versions';
import type { PictureChange } from '../domain/picture-change';

/** A change with more text is listed, and cannot be undone. */
export const MOST_CONTENT_BYTES = 2 ** 24;

const NEW_LINE = 0x0a;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** What a source is made with. */
export type SourceOrigin = Pick<AnnotationSource, 'kind' | 'modelId' | 'createdAt' | 'skeletons'>;

export const originOf = ({ kind, modelId, createdAt, skeletons }: AnnotationSource): SourceOrigin => ({
  ...{ kind, modelId, createdAt },
  ...(skeletons !== undefined && { skeletons }),
});

/** The source before and after a change; null if there was none. */
export interface ChangedSource {
  readonly before: SourceOrigin | null;
  readonly after: SourceOrigin | null;
}

export interface PackedContent {
  readonly content: Buffer;
  readonly contentBytes: number;
}

/** One line of JSON for the source and one for each picture, compressed; undefined if that is too much to keep. */
export async function packedContent(
  source: ChangedSource,
  pictures: readonly PictureChange[],
  mostBytes = MOST_CONTENT_BYTES,
): Promise<PackedContent | undefined> {
  const pace = new Pace();
  const lines: Buffer[] = [];
  let contentBytes = 0;
  for (const each of [source, ...pictures]) {
    const line = Buffer.from(`${JSON.stringify(each)}\n`);
    contentBytes += line.length;
    if (contentBytes > mostBytes) return undefined;
    lines.push(line);
    await pace.after(line.length);
  }
  return { content: await deflate(Buffer.concat(lines), { level: constants.Z_BEST_SPEED }), contentBytes };
}

/** The content of a change, of which pictures are parsed when they are wanted. */
export class ChangeContent {
  private constructor(
    private readonly text: Buffer,
    /** Where each line begins. */
    private readonly starts: readonly number[],
  ) {}

  static async unpacked(content: Buffer): Promise<ChangeContent> {
    const text = await inflate(content, { maxOutputLength: MOST_CONTENT_BYTES });
    const starts = [0];
    for (let end = text.indexOf(NEW_LINE); end >= 0; end = text.indexOf(NEW_LINE, end + 1)) starts.push(end + 1);
    return new ChangeContent(text, starts);
  }

  get source(): ChangedSource {
    return this.line(0) as ChangedSource;
  }

  picture(at: number): PictureChange {
    return this.line(at + 1) as PictureChange;
  }

  async pictures(): Promise<PictureChange[]> {
    const pace = new Pace();
    const pictures: PictureChange[] = [];
    for (let line = 1; line + 1 < this.starts.length; line++) {
      pictures.push(this.line(line) as PictureChange);
      await pace.after(this.starts[line + 1]! - this.starts[line]!);
    }
    return pictures;
  }

  private line(at: number): unknown {
    return JSON.parse(this.text.toString('utf8', this.starts[at], this.starts[at + 1]! - 1));
  }
}
