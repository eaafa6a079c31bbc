import { channel } from 'node:diagnostics_channel';

/** What is called: the object store, a model server, or a step of a job. */
export type CallKind = 'store' | 'model' | 'step';

export interface ObservedCall {
  readonly kind: CallKind;
  /** One of few values, such as an operation, a model or a step. */
  readonly name: string;
  readonly outcome: string;
  readonly seconds: number;
}

/** A channel, because the engine also runs in processes and threads without metrics. */
export const OBSERVED_CALLS = channel('dataset-media-service:calls');

/** Publishes the duration and the outcome of the call. `outcomeOf` maps a failure to one of few names. */
export async function observeCall<T>(
  kind: CallKind,
  name: string,
  work: () => Promise<T>,
  outcomeOf: (error: unknown) => string,
): Promise<T> {
  if (!OBSERVED_CALLS.hasSubscribers) return await work();
  const start = performance.now();
  const publish = (outcome: string): void => {
    const call: ObservedCall = { kind, name, outcome, seconds: (performance.now() - start) / 1_000 };
    OBSERVED_CALLS.publish(call);
  };
  try {
    const result = await work();
    publish('ok');
    return result;
  } catch (error) {
    publish(outcomeOf(error));
    throw error;
  }
}
