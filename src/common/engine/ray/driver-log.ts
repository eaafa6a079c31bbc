import { z } from 'zod';
import { OutageError, deserializeError } from '../../platform/outage/outage';
import { RayJobLostError, RayStepsFailedError, RayUnusableError } from './ray-errors';
import type { RayJob } from './ray-jobs';

/** The driver writes events to the log of its job as lines with this prefix followed by JSON. */
const MARK = 'dms-engine ';

const serializedError = z.object({
  message: z.string(),
  code: z.string().optional(),
  outage: z.object({ awaited: z.string(), detail: z.string() }).nullable(),
  unrecoverable: z.object({ status: z.union([z.literal(409), z.literal(500)]).optional() }).nullable(),
  refusal: z.null(),
});

const stateEvent = z.object({
  event: z.literal('state'),
  /** The number of ready runners. */
  runners: z.int(),
  /** The outage that all runners are waiting for. */
  waiting: z.string().nullable(),
});

const eventSchema = z.discriminatedUnion('event', [
  stateEvent,
  z.object({ event: z.literal('failed'), error: serializedError }),
  z.object({ event: z.literal('unusable'), reason: z.string() }),
  z.object({ event: z.literal('done'), steps: z.int(), again: z.int() }),
  z.object({ event: z.literal('lost'), step: z.string(), id: z.string() }),
]);

export type DriverEvent = z.infer<typeof eventSchema>;
export type DriverState = z.infer<typeof stateEvent>;

export function driverEvents(log: string): DriverEvent[] {
  const events: DriverEvent[] = [];
  for (const line of log.split('\n')) {
    if (!line.startsWith(MARK)) continue;
    const parsed = eventSchema.safeParse(parse(line.slice(MARK.length)));
    if (parsed.success) events.push(parsed.data);
  }
  return events;
}

export const lastState = (log: string): DriverState | undefined =>
  driverEvents(log).findLast((event) => event.event === 'state');

const MISSING_DRIVER = ['No module named dms_engine', "No module named 'dms_engine'", 'exit code 127'];

const saysMissing = (text: string): boolean => MISSING_DRIVER.some((words) => text.includes(words));

/** The reason why the job failed. */
export function failureOf(id: string, { message }: RayJob, log: string): Error {
  const said = driverEvents(log).findLast(({ event }) => event === 'failed' || event === 'unusable');
  if (said?.event === 'unusable') return new RayUnusableError(said.reason);
  if (said?.event === 'failed') {
    const error = deserializeError(said.error as Parameters<typeof deserializeError>[0]);
    return error instanceof OutageError ? error : new RayStepsFailedError(error.message, { cause: error });
  }
  if (saysMissing(log) || saysMissing(message ?? ''))
    return new RayUnusableError(
      'The nodes of the Ray cluster have no driver: install the package of the folder engine/ on each of them, or use the image with Ray.',
    );
  return new RayJobLostError(`The Ray job ${id} failed: ${firstLineOf(message)}`);
}

const firstLineOf = (message: string | null | undefined): string =>
  message?.split('\n', 1)[0]?.slice(0, 500) ?? 'Ray gives no reason.';

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
