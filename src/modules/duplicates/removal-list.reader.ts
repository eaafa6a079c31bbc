import { Injectable } from '@nestjs/common';
import { csvLine } from '../../common/platform/text/lines';
import { formatTimestamp } from '../../common/platform/http/query-values';
import type { DatasetPointer } from '../datasets';
import { VersionOpener, type PublishedState } from '../versions';
import { DecidedRowsCache } from './decided-rows.cache';
import { DELETION_HEAD, deletionLine, deletionTail } from './domain/deletion-script';
import { DuplicateDecisionRepository } from './persistence/duplicate-decision.repository';

const COLUMNS = ['file_path', 'media_id', 'size_bytes', 'kept_path', 'kept_media_id', 'decided_at', 'decided_by'];
/** Read together; their media are read in one call. */
const DECISIONS_AT_ONCE = 1_000;
const FIELDS = ['id', 'path', 'source', 'sizeBytes'] as const;

interface Listed {
  readonly id: string;
  readonly path: string;
  readonly source: string;
  readonly sizeBytes: number;
}

interface Removal {
  readonly gone: Listed;
  /** One that stays instead. */
  readonly stays: Listed;
  readonly decidedAt: Date;
  readonly decidedBy: string;
}

/** The media that decisions in force remove, each once, with one that is kept instead. */
@Injectable()
export class RemovalListReader {
  constructor(
    private readonly decisions: DuplicateDecisionRepository,
    private readonly versions: VersionOpener,
    private readonly decidedRows: DecidedRowsCache,
  ) {}

  /** As CSV: a line for each medium. */
  async *lines(state: PublishedState): AsyncGenerator<string> {
    yield csvLine(COLUMNS);
    for await (const part of this.removals(state))
      yield part
        .map(({ gone, stays, decidedAt, decidedBy }) =>
          csvLine([gone.path, gone.id, gone.sizeBytes, stays.path, stays.id, formatTimestamp(decidedAt), decidedBy]),
        )
        .join('');
  }

  /** As a shell script that deletes their files. */
  async *script(state: PublishedState): AsyncGenerator<string> {
    yield DELETION_HEAD;
    let leftOut = 0;
    for await (const part of this.removals(state)) {
      const lines = part.map(({ gone, stays }) => deletionLine(gone, stays));
      const told = lines.filter((line) => line !== undefined);
      leftOut += lines.length - told.length;
      yield told.join('');
    }
    yield deletionTail(leftOut);
  }

  private async *removals({ datasetId, pointer }: PublishedState): AsyncGenerator<readonly Removal[]> {
    if (pointer === null) return;
    const numbers: number[] = [];
    const listed = new Set<number>();
    for await (const part of this.decisions.numbers(datasetId)) for (const number of part) numbers.push(number);
    for (let at = 0; at < numbers.length; at += DECISIONS_AT_ONCE) {
      const part = numbers.slice(at, at + DECISIONS_AT_ONCE);
      yield await this.of(datasetId, pointer, part, listed);
    }
  }

  /** Without media that are listed already. */
  private async of(
    datasetId: string,
    pointer: DatasetPointer,
    numbers: readonly number[],
    listed: Set<number>,
  ): Promise<readonly Removal[]> {
    using version = await this.versions.open(pointer);
    const { table } = version;
    const { decided } = await this.decidedRows.open(datasetId, table);
    const pairs = numbers.flatMap((number) => {
      const { kept, removed } = decided.get(number);
      const fresh = [...removed].filter((row) => !listed.has(row));
      for (const row of fresh) listed.add(row);
      return fresh.map((row) => ({ number, row, kept: kept[0]! }));
    });
    if (pairs.length === 0) return [];
    const wanted = [...new Set(pairs.flatMap(({ row, kept }) => [row, kept]))];
    const taken = await table.takeRows(wanted, FIELDS);
    const rows = new Map(wanted.map((row, at) => [row, taken[at]!]));
    const decisions = await this.decisions.ofNumbers(datasetId, numbers);
    return pairs.map(({ number, row, kept }) => {
      const { decidedAt, decidedBy } = decisions.get(number)!;
      return { gone: rows.get(row)!, stays: rows.get(kept)!, decidedAt, decidedBy };
    });
  }
}
