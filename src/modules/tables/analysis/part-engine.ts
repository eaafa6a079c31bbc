import type { PartOwner } from './analyze-part';
import type { FilePart } from './file-list';
import type { IndexingRun } from '../runs/indexing-run';
import type { ListedSource } from './listed-source';

export interface PartsWork {
  readonly run: IndexingRun;
  readonly owner: PartOwner;
  readonly listed: ListedSource;
  /** The parts that are not in the journal. Can be read again. */
  readonly unfinished: () => AsyncGenerator<FilePart, undefined>;
  /** Called with the number of files that are recorded since the last call. */
  readonly onFiles: (files: number) => void;
}

/** Where the parts of a long list of files are analysed. */
export interface PartEngine {
  /** Called before the files are listed. */
  prepare(modelId: string): void;
  /** Analyses and records all parts, in any order, and continues the work of earlier attempts of the run. */
  analyze(work: PartsWork): Promise<void>;
}

export const PART_ENGINE = Symbol('PartEngine');

/** How long an operation continues while others wait for a place. */
export const TURN_MS = 10_000;
