import { z, type ZodType } from 'zod';
import { errorMessage } from '../../platform/errors/error-code';
import { exchange, type HttpAnswer } from '../models/servers/http-exchange';
import { RayOutageError, RayUnusableError } from './ray-errors';

export interface RayConnection {
  /** The address of the dashboard, which includes the Jobs interface. */
  readonly address: string;
  readonly token: string | null;
  /** The timeout of a call. */
  readonly timeoutMs: number;
}

const JOB_STATES = ['PENDING', 'RUNNING', 'STOPPED', 'SUCCEEDED', 'FAILED'] as const;

const jobSchema = z.object({ status: z.enum(JOB_STATES), message: z.string().nullish() });
const versionSchema = z.object({ ray_version: z.string() });
const logsSchema = z.object({ logs: z.string() });
const anySchema = z.unknown();

export type RayJob = z.infer<typeof jobSchema>;

export interface Submission {
  readonly id: string;
  /** A shell command. Like the metadata, it is visible to everyone with access to the dashboard. */
  readonly entrypoint: string;
  readonly metadata: Readonly<Record<string, string>>;
}

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** Ray's Jobs interface over HTTP. */
export class RayJobs {
  constructor(private readonly connection: RayConnection) {}

  get address(): string {
    return this.connection.address;
  }

  async version(signal?: AbortSignal): Promise<string> {
    return (await this.call('GET', '/api/version', versionSchema, { signal })).ray_version;
  }

  /** If it throws RayOutageError, the job may still have been submitted. */
  async submit({ id, entrypoint, metadata }: Submission, signal?: AbortSignal): Promise<void> {
    await this.call('POST', '/api/jobs/', anySchema, { body: { submission_id: id, entrypoint, metadata }, signal });
  }

  /** Undefined if the cluster does not know the job, perhaps because it was restarted. */
  find(id: string, signal?: AbortSignal): Promise<RayJob | undefined> {
    return this.ofJob('GET', id, '', jobSchema, signal);
  }

  async logs(id: string, signal?: AbortSignal): Promise<string> {
    return (await this.ofJob('GET', id, '/logs', logsSchema, signal))?.logs ?? '';
  }

  /** Does nothing if the job has ended. */
  async stop(id: string, signal?: AbortSignal): Promise<void> {
    await this.ofJob('POST', id, '/stop', anySchema, signal);
  }

  private async ofJob<T>(
    method: 'GET' | 'POST',
    id: string,
    part: string,
    schema: ZodType<T>,
    signal: AbortSignal | undefined,
  ): Promise<T | undefined> {
    const path = `/api/jobs/${encodeURIComponent(id)}${part}`;
    const answer = await this.ask(method, path, { signal });
    return answer.status === 404 ? undefined : this.read(answer, method, path, schema);
  }

  private async call<T>(
    method: 'GET' | 'POST',
    path: string,
    schema: ZodType<T>,
    options: { body?: object; signal: AbortSignal | undefined },
  ): Promise<T> {
    return this.read(await this.ask(method, path, options), method, path, schema);
  }

  private async ask(
    method: 'GET' | 'POST',
    path: string,
    { body, signal }: { body?: object; signal: AbortSignal | undefined },
  ): Promise<HttpAnswer> {
    const { address, token, timeoutMs } = this.connection;
    const late = AbortSignal.timeout(timeoutMs);
    const headers: Record<string, string> = {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const request = { method, url: `${address}${path}`, headers, body: body && JSON.stringify(body) };
    try {
      return await exchange(request, MAX_ANSWER_BYTES, AbortSignal.any(signal === undefined ? [late] : [late, signal]));
    } catch (error) {
      signal?.throwIfAborted();
      const reason = late.aborted ? `no answer within ${timeoutMs / 1_000} s` : errorMessage(error);
      throw new RayOutageError(address, `${method} ${path}: ${reason}`, { cause: error });
    }
  }

  private read<T>({ status, bytes }: HttpAnswer, method: string, path: string, schema: ZodType<T>): T {
    const { address } = this.connection;
    if (status >= 200 && status < 300) {
      const parsed = schema.safeParse(jsonOf(bytes));
      if (parsed.success) return parsed.data;
    }
    const asked = `${method} ${path}: status ${status}`;
    if (status === 401)
      throw new RayUnusableError(
        `The Ray cluster at ${address} asks for a token (status 401): set RAY_AUTH_TOKEN to its token.`,
      );
    if (status === 403)
      throw new RayUnusableError(
        `The Ray cluster at ${address} refuses the token of this service (status 403): set RAY_AUTH_TOKEN to its token.`,
      );
    if (status === 429 || status >= 500)
      throw new RayOutageError(address, `${asked} ${bytes.toString().slice(0, 500)}`);
    throw new RayUnusableError(
      `${address} does not answer as Ray's Jobs interface does (${asked}): correct RAY_ADDRESS, which names Ray's dashboard.`,
    );
  }
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
