import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { ForeignFiles } from '../../../common/engine/compute/readers/foreign-files';
import { ReadLimitError } from '../../../common/engine/compute/readers/reader-messages';
import type { FileFault } from '../../../common/engine/annotation-formats/from-file';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import type { SourceFilePiece, SourceFiles } from './source-file.reader';

const READER = join(__dirname, `source-file.reader${extname(__filename)}`);

/** Reads annotation files of any tool in a child process. */
@Injectable()
export class SourceFilePieces {
  constructor(private readonly foreignFiles: ForeignFiles) {}

  /** Throws PermanentJobError with a sentence if the files can't be used. */
  async *read(input: SourceFiles): AsyncGenerator<Exclude<SourceFilePiece, { refused: string }>, undefined> {
    try {
      for await (const piece of this.foreignFiles.read<SourceFilePiece>({ module: READER, input })) {
        if ('refused' in piece) throw unusable(input, `cannot be read: ${piece.refused}`);
        yield piece;
      }
    } catch (error) {
      if (!(error instanceof ReadLimitError)) throw error;
      throw unusable(input, `${error.message}: divide it`);
    }
  }
}

const unusable = ({ files }: SourceFiles, fault: string): PermanentJobError =>
  new PermanentJobError(
    `${files
      .map(({ name }) => name)
      .join(', ')
      .slice(0, 300)} ${fault}. Nothing was changed.`,
  );

const MOST_REPORTED = 20;

/** Counts what was left out by reason, with the place of the first. */
export class CountedFaults {
  private readonly reasons = new Map<string, { readonly first: string; count: number }>();
  private others = 0;

  add({ file, line, entry, field, message }: FileFault): void {
    const reason = field === undefined ? message : `${field}: ${message}`;
    const known = this.reasons.get(reason);
    if (known !== undefined) known.count += 1;
    else if (this.reasons.size >= MOST_REPORTED) this.others += 1;
    else {
      const place = [file, line === undefined ? [] : `line ${line}`, entry === undefined ? [] : `entry ${entry}`];
      this.reasons.set(reason, { first: place.flat().join(', '), count: 1 });
    }
  }

  get warnings(): string[] {
    const named = Array.from(this.reasons.values(), ({ first, count }, at) => {
      const reason = [...this.reasons.keys()][at]!;
      return count === 1
        ? `${first} is left out: ${reason}.`
        : `${first} and ${count - 1} more are left out: ${reason}.`;
    });
    return this.others === 0 ? named : [...named, `${this.others} more are left out for other reasons.`];
  }
}
