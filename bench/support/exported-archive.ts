import { setTimeout as delay } from 'node:timers/promises';
import { ask } from './made-dataset';
import type { ProgramInProcess } from './program-in-process';

const POLL_MS = 50;

interface ExportTask {
  readonly id: string;
  readonly status: string;
  readonly download_uri: string | null;
  readonly result_message: string | null;
}

/** Exports a dataset, waits for the result, and returns the address of the archive. */
export async function exported(program: ProgramInProcess, id: string, query: string): Promise<string> {
  const path = `/api/v1/dataset/${id}`;
  const begun = await ask<ExportTask>(program, 'GET', `${path}/export_context_async?file_name=all&${query}`);
  for (;;) {
    const now = await ask<ExportTask>(program, 'GET', `${path}/export_status?export_task_id=${begun.id}`);
    if (now.result_message !== null) throw new Error(`The export failed: ${now.result_message}`);
    if (now.status === 'COMPLETED') return now.download_uri!;
    await delay(POLL_MS);
  }
}
