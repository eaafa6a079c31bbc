import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filedWithSums, FiledRows } from '../../src/common/engine/similarity/rows/filed-rows';
import { ScratchFiles, writeFully } from '../../src/common/engine/similarity/rows/scratch-files';
import { runPoolJob } from '../../src/common/engine/similarity/threads/run-pool-job';
import { ThreadPool } from '../../src/common/engine/similarity/threads/thread-pool';
import { VectorTable } from '../../src/common/engine/similarity/vectors/vector-table';

/** Uses vectors in a file, of which `room` at a time are in memory. */
export async function inFile<T>(
  vectors: readonly ArrayLike<number>[],
  room: number,
  use: (store: FiledRows, pool: ThreadPool) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'filed-rows-'));
  const scratch = new ScratchFiles(folder);
  try {
    const all = VectorTable.allocate(vectors.length, vectors[0]?.length ?? 1);
    vectors.forEach((vector, row) => all.row(row).set(vector));
    const file = scratch.create('vectors');
    writeFully(file, new Uint8Array(all.floats.buffer, 0, vectors.length * all.stride * 4), 0);
    const pool = new ThreadPool(0, new Int32Array(1), runPoolJob);
    const workspace = { table: VectorTable.allocate(room, all.dimension), room, pool };
    const rows = new FiledRows({ count: vectors.length, vectors: file }, workspace);
    return await use(filedWithSums(scratch, 'vectors', { vectors: file }, rows), pool);
  } finally {
    scratch.close();
    rmSync(folder, { recursive: true });
  }
}
