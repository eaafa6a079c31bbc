import { Injectable } from '@nestjs/common';
import { errorMessage } from '../../../common/platform/errors/error-code';
import { BadRequestError } from '../../../common/platform/errors/domain-error';
import { classifyFileName, folderLabels } from '../../tables';
import { UnreadablePlaces } from '../sources/domain/unreadable-places';
import { SourceMedia } from '../sources/source-media';

/** More files would take too long for a preview. */
const MOST_FILES = 10_000;

export interface FolderLabelCount {
  /** Each label with the number of its files, in descending order. */
  readonly labels: readonly (readonly [label: string, files: number])[];
  readonly files: number;
  /** Whether there are more files. */
  readonly isPartial: boolean;
}

/** Counts the labels that a dataset would get from its folders. */
@Injectable()
export class FolderLabelCounts {
  constructor(private readonly sources: SourceMedia) {}

  async at(path: string): Promise<FolderLabelCount> {
    const { uri } = this.sources.locationOf(path);
    const counts = new Map<string, number>();
    let files = 0;
    try {
      for await (const file of this.sources.list(uri, new UnreadablePlaces())) {
        const kind = classifyFileName(file.path);
        if (kind !== 'image' && kind !== 'video') continue;
        if (files === MOST_FILES) return { labels: byCount(counts), files, isPartial: true };
        files += 1;
        for (const label of folderLabels(file.path)) counts.set(label, (counts.get(label) ?? 0) + 1);
      }
    } catch (error) {
      throw new BadRequestError(`Nothing can be read at ${path}: ${errorMessage(error)}`);
    }
    return { labels: byCount(counts), files, isPartial: false };
  }
}

const byCount = (counts: ReadonlyMap<string, number>): FolderLabelCount['labels'] =>
  [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
