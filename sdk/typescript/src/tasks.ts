import { answered, type Connection } from './connection.js';
import { delay } from './delay.js';
import { MediaServiceError, TaskFailedError, TimeoutError } from './errors.js';
import type { components, operations } from './generated/api.js';
import { paged } from './paging.js';

export type Task = components['schemas']['Task'];
export type TaskFilter = Omit<NonNullable<operations['taskPage']['parameters']['query']>, 'page' | 'page_size'>;

export interface WaitOptions {
  /** Default: no limit. */
  readonly timeoutSeconds?: number;
  readonly pollSeconds?: number;
  readonly signal?: AbortSignal;
  /** Called with each polled state. */
  readonly onProgress?: (task: Task) => void;
}

const PAGE_SIZE = 50;
const POLL_SECONDS = 0.5;
const LONGEST_POLL_SECONDS = 5;

export const isOver = ({ end_time, status }: Task): boolean =>
  end_time !== null || status === 'COMPLETED' || status === 'FAILED' || status === 'ABORTED';

export function listTasks(connection: Connection, filter: TaskFilter = {}): AsyncGenerator<Task, void, undefined> {
  return paged(1, async (page) => {
    const query = { ...filter, page, page_size: PAGE_SIZE };
    const { tasks, total } = await answered(connection.api.GET('/api/v1/tasks', { params: { query } }));
    return { items: tasks, hasMore: page * PAGE_SIZE < total };
  });
}

/** Calls `read` at increasing intervals until `isDone`. */
export async function poll<T>(
  read: () => Promise<T>,
  isDone: (value: T) => boolean,
  what: string,
  { timeoutSeconds = Infinity, pollSeconds = POLL_SECONDS, signal }: WaitOptions = {},
): Promise<T> {
  const end = Date.now() + timeoutSeconds * 1000;
  for (let wait = pollSeconds; ; wait = Math.min(wait * 1.3, LONGEST_POLL_SECONDS)) {
    const value = await read();
    if (isDone(value)) return value;
    if (Date.now() + wait * 1000 > end) throw new TimeoutError(`${what} did not end within ${timeoutSeconds} seconds`);
    await delay(wait, signal);
  }
}

/** Waits for the end of a task or of the task with this id. Throws `TaskFailedError` if it did not succeed. */
export async function waitForTask(
  connection: Connection,
  given: Task | string,
  options: WaitOptions = {},
): Promise<Task> {
  const id = typeof given === 'string' ? given : given.task_id;
  let filter: TaskFilter = typeof given === 'string' ? {} : { dataset_id: given.dataset_id };
  const read = async (): Promise<Task> => {
    for await (const task of listTasks(connection, filter)) {
      if (task.task_id !== id) continue;
      filter = { dataset_id: task.dataset_id };
      options.onProgress?.(task);
      return task;
    }
    throw new MediaServiceError(`The task ${id} does not exist, or its dataset was deleted`);
  };
  const task = await poll(read, isOver, `The task ${id}`, options);
  if (task.status !== 'COMPLETED') throw new TaskFailedError(task);
  return task;
}

/** Starts an operation whose response does not name its task, and finds that task. */
export async function startedTask(
  connection: Connection,
  filter: TaskFilter & { readonly task_type: Task['task_type'] },
  start: () => Promise<unknown>,
  isOurs: (task: Task) => Promise<boolean> = () => Promise.resolve(true),
): Promise<Task> {
  const known = new Set<string>();
  for await (const task of listTasks(connection, filter)) known.add(task.task_id);
  await start();
  const read = async (): Promise<Task | undefined> => {
    for await (const task of listTasks(connection, filter))
      if (!known.has(task.task_id) && (await isOurs(task))) return task;
    return undefined;
  };
  const found = await poll(read, (task) => task !== undefined, `The start of ${filter.task_type}`, {
    timeoutSeconds: 60,
  });
  return found!;
}
