import type { Dataset } from '../dataset.js';
import type { Task } from '../tasks.js';
import type { Run } from './command.js';
import { ProgressLine } from './output.js';

const taskText = (task: Task): string =>
  `${task.task_type} of ${task.dataset_name}: ${task.status_message} ${task.progress_percentage ?? 0} %`;

/** Waits for a task, unless `--no-wait` is set. */
export async function waitForTask(run: Run, dataset: Dataset, task: Task): Promise<Task> {
  if (run.flag('no-wait')) return task;
  const line = new ProgressLine();
  try {
    return await dataset.waitFor(task, { signal: run.signal, onProgress: (state) => line.show(taskText(state)) });
  } finally {
    line.end();
  }
}

/** Waits until a dataset that is being created is READY. */
export async function waitForCreation(run: Run, dataset: Dataset): Promise<void> {
  if (run.flag('no-wait')) return;
  const line = new ProgressLine();
  try {
    await dataset.waitUntilIdle({ signal: run.signal, onProgress: (task) => line.show(taskText(task)) });
    await dataset.waitUntilReady({ signal: run.signal });
  } finally {
    line.end();
  }
}
