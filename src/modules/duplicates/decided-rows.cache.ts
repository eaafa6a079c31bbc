import { Injectable } from '@nestjs/common';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import { versionName } from '../../common/engine/media-table/table-version';
import { BoundedCache } from '../../common/platform/cache/bounded-cache';
import { DecidedRows } from './domain/decided-rows';
import { DuplicateDecisionRepository, type ChangedDecision } from './persistence/duplicate-decision.repository';
import { rowsOfIds } from './rows-of-ids';
import { OrdinalSet } from '../../common/engine/media-table/ordinal-set';
import type { DatasetPointer } from '../datasets';
import { inSlices } from '../../common/platform/concurrency/in-slices';
import { VersionOpener } from '../versions';

/** The decisions about a table version, as rows. Reads only the changes since the last time. */
@Injectable()
export class DecidedRowsCache {
  private readonly kept = new BoundedCache<Held>(MOST_VERSIONS);

  constructor(private readonly decisions: DuplicateDecisionRepository) {}

  async open(datasetId: string, table: MediaTable): Promise<KnownDecisions> {
    const held = await this.kept.getOrLoad(`${datasetId}/${versionName(table.at)}`, () =>
      Promise.resolve({ decided: new DecidedRows(table.rows), revision: 0, turn: Promise.resolve() }),
    );
    const turn = held.turn.catch(() => undefined).then(() => this.update(held, datasetId, table));
    held.turn = turn;
    await turn;
    return { decided: held.decided, revision: held.revision };
  }

  private async update(held: Held, datasetId: string, table: MediaTable): Promise<void> {
    let gathered: ChangedDecision[] = [];
    let ids = 0;
    let latest = held.revision;
    for await (const part of this.decisions.changes(datasetId, held.revision)) {
      gathered = gathered.concat(part);
      ids += part.reduce((sum, { kept, removed }) => sum + kept.length + removed.length, 0);
      if (ids < MOST_IDS) continue;
      latest = await apply(held.decided, gathered, table, latest);
      [gathered, ids] = [[], 0];
    }
    held.revision = await apply(held.decided, gathered, table, latest);
  }
}

/** The media that go by the decisions in force, for operations that leave them out. */
@Injectable()
export class DecidedMediaReader {
  constructor(
    private readonly versions: VersionOpener,
    private readonly decisions: DecidedRowsCache,
  ) {}

  async rowsThatGo(datasetId: string, pointer: DatasetPointer): Promise<OrdinalSet> {
    using version = await this.versions.open(pointer);
    const { decided } = await this.decisions.open(datasetId, version.table);
    const going = OrdinalSet.none(version.rows);
    await inSlices(version.rows, (start, end) => {
      for (let row = start; row < end; row++) if (decided.isRemoved(row)) going.add(row);
    });
    return going;
  }
}

export interface KnownDecisions {
  readonly decided: DecidedRows;
  /** Of the newest change that is included. */
  readonly revision: number;
}

interface Held {
  readonly decided: DecidedRows;
  revision: number;
  /** The last update, which the next one waits for. */
  turn: Promise<void>;
}

/** The versions that are kept: each takes four bytes a row, and some a decision. */
const MOST_VERSIONS = 8;
/** As many ids are looked for at once. */
const MOST_IDS = 200_000;

/** Returns the newest revision. Changes that are applied again change nothing. */
async function apply(
  decided: DecidedRows,
  changes: readonly ChangedDecision[],
  table: MediaTable,
  before: number,
): Promise<number> {
  const standing = changes.filter(({ isUndone }) => !isUndone);
  const rows = await rowsOfIds(table, new Set(standing.flatMap(({ kept, removed }) => [...kept, ...removed])));
  const known = (ids: readonly string[]): number[] => ids.map((id) => rows.get(id)).filter((row) => row !== undefined);
  for (const { number, kept, removed, isUndone } of changes) {
    const staying = known(kept);
    if (isUndone) decided.undo(number);
    // The version has none of the kept media (they came after a snapshot that was restored): nothing is removed.
    else if (staying.length > 0) decided.add({ number, kept: staying, removed: known(removed) });
  }
  return changes.at(-1)?.revision ?? before;
}
