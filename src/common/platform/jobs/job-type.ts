declare const payloadOf: unique symbol;

/** A kind of job, known by its name; the type parameter ties what is enqueued to what its handler takes. */
export interface JobType<Payload extends object = object> {
  readonly name: string;
  /** How many run at once in one process. */
  readonly concurrency: number;
  /** How often a failure that may pass is tried again. */
  readonly retryLimit: number;
  /** The wait before the first of these; each later one doubles it. */
  readonly retryDelaySeconds: number;
  readonly [payloadOf]?: Payload;
}

export type JobTypeOptions = Partial<Pick<JobType, 'concurrency' | 'retryLimit' | 'retryDelaySeconds'>>;

export function defineJob<Payload extends object>(name: string, options: JobTypeOptions = {}): JobType<Payload> {
  return { name, concurrency: 1, retryLimit: 5, retryDelaySeconds: 1, ...options };
}
