import type { Dataset } from '../dataset.js';
import type { Task, WaitOptions } from '../tasks.js';
import type { Run } from './command.js';
import { ProgressLine } from './output.js';

const taskText = (task: Task): string =>
  `${task.task_type} of ${task.dataset_name}: ${task.status_message} ${task.progress_percentage ?? 0} %`;

/** Shows what a wait reads of its task. */
export async function waitShown<T>({ signal }: Run, wait: (options: WaitOptions) => Promise<T>): Promise<T> {
  const line = new ProgressLine();
  try {
    return await wait({ signal, onProgress: (task) => line.show(taskText(task)) });
  } finally {
    line.end();
  }
}

/** Waits for a task, unless `--no-wait` is set. */
export async function waitForTask(run: Run, dataset: Dataset, task: Task): Promise<Task> {
  return run.flag('no-wait') ? task : waitShown(run, (options) => dataset.waitFor(task, options));
}

/** Waits until a dataset that is being created is READY. */
export async function waitForCreation(run: Run, dataset: Dataset): Promise<void> {
  if (run.flag('no-wait')) return;
  await waitShown(run, (options) => dataset.waitUntilIdle(options));
  await dataset.waitUntilReady({ signal: run.signal });
}
