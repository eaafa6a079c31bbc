import type { Outcomes } from '../../../common/engine/evaluation/outcomes';
import type { OutcomeCondition } from '../../../common/engine/evaluation/outcome-condition';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { versionName } from '../../../common/engine/media-table/table-version';
import { BoundedCache, type CacheUsage } from '../../../common/platform/cache/bounded-cache';
import type { SourceAnnotations } from '../annotations/source-annotations';
import type { EvaluationFiles } from './evaluation-files';
import type { EvaluatedFile } from './persistence/evaluated-file.reader';
import { PlacedOutcomes, rowsOfPictures } from './placed-outcomes';
import type { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';

/** An evaluation, and if only annotations of the truth that another one found matter, that one. */
export interface AskedEvaluations {
  readonly of: EvaluatedFile;
  readonly betterIn?: EvaluatedFile;
}

/** LRU caches of the outcomes of evaluations, and of where their pictures are, within a budget of bytes that all datasets share. */
export class OutcomeCache {
  private readonly files: BoundedCache<Outcomes>;
  private readonly rows: BoundedCache<Int32Array>;

  constructor(
    private readonly stored: Pick<EvaluationFiles, 'read'>,
    private readonly annotations: Pick<SourceAnnotations, 'idsOf'>,
    budgetBytes: number,
  ) {
    this.files = new BoundedCache((budgetBytes * 7) / 8, bytesOf, { keepsLast: true });
    this.rows = new BoundedCache(budgetBytes / 8, ({ byteLength }) => byteLength, { keepsLast: true });
  }

  get usage(): CacheUsage {
    return { ...this.files.usage, bytes: this.files.weight + this.rows.weight };
  }

  read(file: string): Promise<Outcomes> {
    return this.files.getOrLoad(file, () => this.stored.read(file));
  }

  async place(file: string, table: MediaTable): Promise<PlacedOutcomes> {
    const outcomes = await this.read(file);
    const rows = await this.rows.getOrLoad(`${versionName(table.at)} ${file}`, async () =>
      rowsOfPictures(outcomes, await this.annotations.idsOf(table)),
    );
    return new PlacedOutcomes(outcomes, rows, table.rows);
  }

  /** The rows with an outcome that passes. */
  async rowsWith(
    table: MediaTable,
    condition: OutcomeCondition,
    { of, betterIn }: AskedEvaluations,
  ): Promise<OrdinalSet> {
    const placed = await this.place(of.file, table);
    if (betterIn === undefined) return placed.rowsWith(condition, of.cuts);
    return placed.rowsWith(condition, of.cuts, { placed: await this.place(betterIn.file, table), cuts: betterIn.cuts });
  }
}

const bytesOf = ({ columns, labels }: Outcomes): number =>
  (Object.values(columns) as ArrayBufferView[]).reduce(
    (sum, { byteLength }) => sum + byteLength,
    labels.reduce((sum, label) => sum + 2 * label.length + 100, 0),
  );
