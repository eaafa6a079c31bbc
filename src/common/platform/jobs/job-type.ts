declare const payloadOf: unique symbol;

/** A type of job, identified by its name. The type parameter connects the enqueued payload with the handler. */
export interface JobType<Payload extends object = object> {
  readonly name: string;
  /** The number of concurrent runs in one process. */
  readonly concurrency: number;
  /** The number of retries after temporary failures. */
  readonly retryLimit: number;
  /** The delay before the first retry; each later one doubles it. */
  readonly retryDelaySeconds: number;
  /** Whether each run that ends is logged. */
  readonly logsEnd: boolean;
  readonly [payloadOf]?: Payload;
}

export type JobTypeOptions = Partial<Pick<JobType, 'concurrency' | 'retryLimit' | 'retryDelaySeconds' | 'logsEnd'>>;

export function defineJob<Payload extends object>(name: string, options: JobTypeOptions = {}): JobType<Payload> {
  return { name, concurrency: 1, retryLimit: 5, retryDelaySeconds: 1, logsEnd: true, ...options };
}
