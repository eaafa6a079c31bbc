import { Injectable } from '@nestjs/common';
import { EvaluationError } from '../../../common/engine/evaluation/evaluation-error';
import { EvaluationRun } from '../../../common/engine/evaluation/evaluation-run';
import type { EvaluationResult } from '../../../common/engine/evaluation/evaluation-result';
import { planOf } from '../../../common/engine/evaluation/plan';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { failpoint } from '../../../common/platform/config/failpoint';
import { SourceAnnotations, type MediaIds, type OpenedVersion } from '../../versions';
import type { Compared } from '../compared-sources';
import type { AskedEvaluation } from '../domain/evaluation';
import { nameRanks } from '../domain/name-ranks';

const PICTURES_AT_ONCE = 256;
/** Of JSON, unless one picture has more. */
const BYTES_AT_ONCE = 2 ** 24;
const MOST_BYTES_OF_PICTURE = 2 ** 28;
const ROWS_AT_ONCE = 8_192;
const REPORT_MS = 500;

interface Watch {
  readonly signal: AbortSignal;
  readonly report: (part: number) => Promise<unknown>;
}

/** By row. */
interface PictureFacts {
  readonly ids: MediaIds;
  /** In the order of the names of files. */
  readonly ranks: Int32Array;
  readonly widths: Int32Array;
  readonly heights: Int32Array;
}

/** Hands the annotations of both sources to the threads that compare them, some pictures at a time. */
@Injectable()
export class CompareStep {
  constructor(private readonly annotations: SourceAnnotations) {}

  async run(
    { task, protocol, options }: AskedEvaluation,
    { table }: OpenedVersion,
    compared: Compared,
    { signal, report }: Watch,
  ): Promise<EvaluationResult> {
    const facts = await factsOf(table, await this.annotations.idsOf(table));
    const { truth, predictions } = compared;
    await using run = new EvaluationRun(planOf(task, protocol, options), { signal });
    let [done, reportedAt] = [0, Date.now()];
    for (const rows of batchesOf(compared, facts.ids)) {
      signal.throwIfAborted();
      await run.add({
        pictures: rows.map((row) => ({
          id: facts.ids.idOf(row),
          rank: facts.ranks[row]!,
          width: facts.widths[row]!,
          height: facts.heights[row]!,
        })),
        truth: await truth.jsonOf(rows),
        predictions: await predictions.jsonOf(rows),
      });
      failpoint('comparison-begun');
      done += rows.length;
      if (Date.now() - reportedAt < REPORT_MS) continue;
      reportedAt = Date.now();
      await report(done / compared.rows.size);
    }
    return await run.finish();
  }
}

/** The pictures that have annotations: in the order of the files of the predictions, of which there are more, and then those that only the truth has. */
function* batchesOf({ truth, predictions, rows: wanted }: Compared, ids: MediaIds): Generator<readonly number[]> {
  const seen = OrdinalSet.none(wanted.rows);
  let [batch, bytes]: [number[], number] = [[], 0];
  for (const source of [predictions, truth])
    for (const rows of source.rowsInFileOrder())
      for (const row of rows) {
        if (!wanted.has(row) || seen.has(row) || source.countAt(row) === 0) continue;
        seen.add(row);
        const own = truth.jsonBytesAt(row) + predictions.jsonBytesAt(row);
        if (own > MOST_BYTES_OF_PICTURE)
          throw new EvaluationError(`Picture ${ids.idOf(row)} cannot be compared: The annotations are too large`);
        if (batch.length === PICTURES_AT_ONCE || (batch.length > 0 && bytes + own > BYTES_AT_ONCE)) {
          yield batch;
          [batch, bytes] = [[], 0];
        }
        batch.push(row);
        bytes += own;
      }
  if (batch.length > 0) yield batch;
}

async function factsOf(table: MediaTable, ids: MediaIds): Promise<PictureFacts> {
  const [widths, heights] = [new Int32Array(table.rows), new Int32Array(table.rows)];
  const paths: string[] = [];
  for await (const rows of table.readRows(['path', 'width', 'height'], { batchRows: ROWS_AT_ONCE }))
    for (const { path, width, height } of rows) {
      widths[paths.length] = width;
      heights[paths.length] = height;
      paths.push(path);
    }
  return { ids, ranks: await nameRanks(paths), widths, heights };
}
