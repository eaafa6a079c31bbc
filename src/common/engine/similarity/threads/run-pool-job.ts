import { scanAll, scanCells } from '../vectors/block-scan';
import { isStopped, type PoolJob, type Shared } from './pool-job';
import { linkGroup } from '../linkage/link-group';
import { arrangeRows } from '../projection/arrange-rows';
import { refineNeighbours, settleNeighbours } from '../neighbours/neighbour-refinement';
import { measureEdges, Smoother } from '../neighbours/neighbour-smoothing';
import { loadRows } from '../rows/load-rows';
import { scanKnown } from '../placing/scan-known';
import { fillBlock } from '../vectors/vector-blocks';
import { encodeRows } from '../vectors/vector-rows';
import { VectorTable } from '../vectors/vector-table';

export async function runPoolJob(job: PoolJob): Promise<void> {
  switch (job.kind) {
    case 'encodeRows': {
      const table = new VectorTable(job.source.table);
      for (const [from, to] of units(job)) encodeRows(job.source, table, from, to);
      return;
    }
    case 'loadRows': {
      const table = new VectorTable(job.table);
      for (const [from, to] of units(job)) loadRows(job, table, from, to);
      return;
    }
    case 'fillBlocks': {
      const rows = 'memory' in job.rows ? new VectorTable(job.rows) : job.rows;
      for (const [from, to] of units(job))
        for (let block = from; block < to; block++) fillBlock(job.blocks, block, rows);
      return;
    }
    case 'scanAll':
      await scanAll(job, units(job));
      return;
    case 'scanCells':
      await scanCells(job, units(job));
      return;
    case 'scanKnown':
      await scanKnown(job, units(job));
      return;
    case 'settle': {
      const table = new VectorTable(job.table);
      for (const [from, to] of units(job)) settleNeighbours(job, table, from, to);
      return;
    }
    case 'refine': {
      const table = new VectorTable(job.table);
      for (const [from, to] of units(job)) refineNeighbours(job, table, from, to);
      return;
    }
    case 'smooth': {
      const smoother = new Smoother(job, new VectorTable(job.table));
      for (const [from, to] of units(job)) smoother.smooth(from, to);
      return;
    }
    case 'arrange':
      for (const [from, to] of units(job)) arrangeRows(job, from, to);
      return;
    case 'measure': {
      const table = new VectorTable(job.table);
      for (const [from, to] of units(job)) measureEdges(job, table, from, to);
      return;
    }
    case 'link': {
      const table = new VectorTable(job.table);
      for (const [from, to] of units(job)) for (let group = from; group < to; group++) linkGroup(job, table, group);
    }
  }
}

function* units({ cursor, unit, total, stop }: Shared): Generator<[number, number]> {
  while (!isStopped(stop)) {
    const from = Atomics.add(cursor, 0, unit);
    if (from >= total) return;
    yield [from, Math.min(total, from + unit)];
  }
}
