import { channel } from 'node:diagnostics_channel';

/** The callee: the object store, the server of a model, or a step of a job. */
export type CallKind = 'store' | 'model' | 'step';

export interface ObservedCall {
  readonly kind: CallKind;
  /** One of few: an operation, a model, a step. */
  readonly name: string;
  readonly outcome: string;
  readonly seconds: number;
}

/** A channel, because the engine also runs in processes and threads without metrics. */
export const OBSERVED_CALLS = channel('dataset-media-service:calls');

/** Publishes how long the call took and how it ended; `outcomeOf` names a failure by one of few words. */
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
