import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { Turns } from '../../../platform/concurrency/turns';
import { errorCode, errorMessage } from '../../../platform/errors/error-code';
import { observeCall } from '../../../platform/observability/observed-calls';
import { inSpan, SpanKind, traceParent } from '../../../platform/observability/spans';
import { PictureRefusedError, TextRefusedError } from '../picture-model';
import { exchange, type HttpAnswer } from './http-exchange';
import {
  FailedAttemptError,
  ModelServerError,
  ModelServerOutageError,
  UnreadableAnswerError,
} from './model-server-errors';
import { plainText } from '../../../platform/text/texts';
import { readServerKey, type ServerSettings } from './server-manifest';

const MAX_BACKOFF_MS = 30_000;
const MAX_RETRY_AFTER_MS = 60_000;

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const UNREADABLE_RETRIES = 1;

const MAX_MESSAGE_CHARACTERS = 300;

/** The error formats of servers: OpenAI, vLLM, Ollama; Triton, TGI; FastAPI. */
const errorSchema = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
  z.object({ detail: z.array(z.object({ msg: z.string() })).min(1) }).transform(({ detail }) => detail[0]!.msg),
]);

/** A model and the server that its manifest names. */
export interface ServedModel {
  readonly folder: string;
  readonly manifest: { readonly id: string; readonly server: ServerSettings };
}

export interface ServerRequest {
  readonly method: 'GET' | 'POST';
  /** The path below the server's URL. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** The part of the request that is refused by 400, 413, 415 and 422. */
  readonly about: 'picture' | 'text' | 'model';
}

const OVERLOADED: ReadonlySet<number> = new Set([429, 503]);
const PASSING: ReadonlySet<number> = new Set([408, 425]);
const ABOUT_INPUT: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** An HTTP client with the semantics that all remote models share: concurrency, timeouts, retries, limits and errors. */
export class ModelServer {
  private readonly turns: Turns;
  private readonly base: URL;
  /** The last successful request with a picture. */
  private lastAnswered: ServerRequest | undefined;

  private constructor(private readonly model: ServedModel) {
    this.turns = new Turns(model.manifest.server.atOnce);
    this.base = new URL(model.manifest.server.url);
  }

  /** Sends no request. Throws ModelServerError if the API key cannot be read. */
  static async open(model: ServedModel): Promise<ModelServer> {
    const server = new ModelServer(model);
    await server.key();
    return server;
  }

  get settings(): ServerSettings {
    return this.model.manifest.server;
  }

  /**
   * Passes the response to `read`, which throws UnreadableAnswerError if it violates the protocol. Throws PictureRefusedError, TextRefusedError,
   * ModelServerError or ModelServerOutageError.
   */
  ask<T>(request: ServerRequest, read: (body: string) => T, signal: AbortSignal): Promise<T> {
    const { id } = this.model.manifest;
    return this.turns.run(false, () =>
      inSpan(`model ${id}`, { kind: SpanKind.CLIENT, attributes: { 'model.id': id } }, () =>
        observeCall('model', id, () => this.askUntilAnswered(request, read, signal), outcomeOf(signal)),
      ),
    );
  }

  /** An error with one sentence that ends with the remedy. */
  misconfigured(problem: string, remedy: string): ModelServerError {
    return new ModelServerError(`The model server at ${this.host} ${problem}. ${remedy}`);
  }

  /** The name of a field in a remedy. */
  field(name: string): string {
    return `"${name}" in the manifest of ${this.model.manifest.id}`;
  }

  private get host(): string {
    return this.base.host;
  }

  private async askUntilAnswered<T>(
    request: ServerRequest,
    read: (body: string) => T,
    signal: AbortSignal,
  ): Promise<T> {
    const { retries, retryMs } = this.settings;
    let failures = 0;
    let unreadable = 0;
    for (;;) {
      signal.throwIfAborted();
      let askedMs = 0;
      try {
        const result = read(await this.attempt(request, signal));
        if (request.about === 'picture') this.lastAnswered = request;
        return result;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof UnreadableAnswerError) {
          unreadable += 1;
          if (unreadable > UNREADABLE_RETRIES)
            throw this.refused(request, `gave an answer that ${error.message}`, error);
        } else if (error instanceof FailedAttemptError) {
          failures += 1;
          if (failures > retries) throw await this.failure(request, error, signal);
          askedMs = error.retryAfterMs;
        } else throw error;
      }
      await this.pause(retryPauseMs(failures + unreadable, retryMs, askedMs), signal);
    }
  }

  /** Classifies the failure of the last attempt. The picture is the cause if the server still processes another one. */
  private async failure(request: ServerRequest, error: FailedAttemptError, signal: AbortSignal): Promise<Error> {
    if (request.about === 'picture' && error.mayBeOfRequest && (await this.stillAnswers(signal)))
      return new PictureRefusedError(
        `${error.message}, in the last of ${this.settings.retries + 1} attempts for this picture, but answers for others.`,
        { cause: error },
      );
    return new ModelServerOutageError(this.host, error.message, { cause: error });
  }

  /** A server that crashed on a picture may take a while to restart. */
  private async stillAnswers(signal: AbortSignal): Promise<boolean> {
    if (this.lastAnswered === undefined) return false;
    const { retries, retryMs } = this.settings;
    for (let failures = 0; failures <= retries; failures += 1) {
      if (failures > 0) await this.pause(retryPauseMs(failures, retryMs, 0), signal);
      try {
        await this.attempt(this.lastAnswered, signal);
        return true;
      } catch {
        signal.throwIfAborted();
      }
    }
    return false;
  }

  private pause(ms: number, signal: AbortSignal): Promise<void> {
    return delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
  }

  private async attempt(request: ServerRequest, signal: AbortSignal): Promise<string> {
    const key = await this.key();
    const answer = await this.send(request, key, signal);
    const body = answer.bytes.toString('utf8');
    if (answer.status < 200 || answer.status > 299) throw this.failureOf(request, answer, body, key);
    if (!answer.isWhole) throw new UnreadableAnswerError(`is larger than ${MAX_ANSWER_BYTES / 1024 / 1024} MB`);
    return body;
  }

  /** Read for each request, so that a corrected key takes effect immediately. */
  private async key(): Promise<string | undefined> {
    const { keyFile } = this.settings;
    return keyFile === undefined ? undefined : await readServerKey(this.model.folder, keyFile);
  }

  private async send(
    { method, path, headers, body }: ServerRequest,
    key: string | undefined,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const { timeoutMs } = this.settings;
    // Not AbortSignal.any: a job's signal lives for millions of requests, and each must leave no listener behind.
    const limit = new AbortController();
    const abort = (): void => limit.abort();
    const timer = setTimeout(abort, timeoutMs);
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    try {
      const traceparent = traceParent();
      const traced = traceparent === null ? {} : { traceparent };
      const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
      return await exchange(
        {
          method,
          url: this.urlOf(path),
          headers: { accept: 'application/json', ...headers, ...traced, ...authorization },
          body,
        },
        MAX_ANSWER_BYTES,
        limit.signal,
      );
    } catch (error) {
      if (limit.signal.aborted)
        throw new FailedAttemptError(`The model server at ${this.host} did not answer within ${timeoutMs} ms`, {
          mayBeOfRequest: true,
        });
      throw new FailedAttemptError(`The model server at ${this.host}: ${reasonOf(error)}`, {
        cause: error,
        mayBeOfRequest: errorCode(error) === 'ECONNRESET',
      });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  private urlOf(path: string): string {
    const { href } = this.base;
    return `${href.endsWith('/') ? href : `${href}/`}${path}`;
  }

  private failureOf(
    request: ServerRequest,
    { status, headers }: HttpAnswer,
    body: string,
    key: string | undefined,
  ): Error {
    const { model, keyFile } = this.settings;
    const message = serverMessage(key === undefined ? body : body.replaceAll(key, '…'));
    const told = message === '' ? `${status}` : `${status}: ${message}`;
    if (status >= 500 || OVERLOADED.has(status) || PASSING.has(status)) {
      const asked = OVERLOADED.has(status) ? retryAfterMs(headers['retry-after'], Date.now()) : 0;
      const mayBeOfRequest = status >= 500 && !OVERLOADED.has(status);
      return new FailedAttemptError(`The model server at ${this.host} failed with ${told}`, {
        retryAfterMs: asked,
        mayBeOfRequest,
      });
    }
    if (request.about !== 'model' && ABOUT_INPUT.has(status))
      return this.refused(request, `refused the ${request.about} with ${told}`);
    if (status === 401 || status === 403) {
      const remedy =
        keyFile === undefined
          ? `Name a file with its API key in ${this.field('server.keyFile')}.`
          : `Write a valid API key to the file ${keyFile}.`;
      return this.misconfigured(`refused the request with ${status}`, remedy);
    }
    const fields = `${this.field('server.url')} and "server.model"`;
    if (status < 400) {
      const target = plainText(headers.location ?? 'another address', 300);
      return this.misconfigured(
        `redirects to ${target}`,
        `Redirects are not followed: correct ${this.field('server.url')}.`,
      );
    }
    return this.misconfigured(`refused the model ${model} with ${told}`, `Check ${fields}.`);
  }

  private refused({ about }: ServerRequest, what: string, cause?: Error): Error {
    const Refusal = about === 'text' ? TextRefusedError : PictureRefusedError;
    return new Refusal(`The model server at ${this.host} ${what}.`, { cause });
  }
}

const outcomeOf =
  (signal: AbortSignal) =>
  (error: unknown): string => {
    if (signal.aborted) return 'interrupted';
    if (error instanceof PictureRefusedError || error instanceof TextRefusedError) return 'refused';
    return error instanceof ModelServerOutageError ? 'outage' : 'failed';
  };

/** An error for several addresses has a code but no message. */
function reasonOf(error: unknown): string {
  const message = errorMessage(error);
  return message === '' ? (errorCode(error) ?? 'no connection') : message;
}

/** The header's seconds or date as milliseconds from now; 0 if it has neither. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1_000;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(0, ms), MAX_RETRY_AFTER_MS);
}

/** Exponential, with jitter so that requests that failed together do not return together. */
export function retryPauseMs(failures: number, firstMs: number, askedMs: number): number {
  const longest = Math.min(firstMs * 2 ** (failures - 1), MAX_BACKOFF_MS);
  const jitter = longest * (0.5 + Math.random() / 2);
  return askedMs + jitter;
}

/** The message in the body of a refusal, on one line; empty if it is not readable text. */
export function serverMessage(body: string): string {
  try {
    const { success, data } = errorSchema.safeParse(JSON.parse(body));
    return success ? plainText(data, MAX_MESSAGE_CHARACTERS) : '';
  } catch {
    return body.trimStart().startsWith('<') ? '' : plainText(body, MAX_MESSAGE_CHARACTERS);
  }
}
