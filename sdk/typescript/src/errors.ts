import type { components } from './generated/api.js';

export type ValidationItem = components['schemas']['ValidationItem'];
export type AnnotationConflict = components['schemas']['AnnotationConflict'];

/** The base class of all errors of this package. */
export class MediaServiceError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The service could not be reached, or the connection was lost. */
export class ConnectionError extends MediaServiceError {}

/** The timeout expired before the awaited state was reached. */
export class TimeoutError extends MediaServiceError {}

/** No dataset that the caller can access has this name or id. */
export class NoSuchDatasetError extends MediaServiceError {}

/** The same upload is already running. */
export class UploadRunningError extends MediaServiceError {
  constructor(processId: number, lockPath: string) {
    super(
      `Another upload of this folder to this dataset is running, by process ${processId}. Wait until it has ended. ` +
        `If that process is not an upload, remove ${lockPath}`,
    );
  }
}

/** A task ended without success. */
export class TaskFailedError extends MediaServiceError {
  constructor(readonly task: components['schemas']['Task']) {
    const why = task.error_message ?? task.status_message;
    super(`The task ${task.task_type} of the dataset "${task.dataset_name}" is ${task.status}: ${why}`);
  }
}

export interface ErrorAnswer {
  readonly status: number;
  readonly method: string;
  readonly url: string;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly detail: string | readonly ValidationItem[];
  readonly reason: string | null;
  readonly conflicts: readonly AnnotationConflict[];
}

const sentence = (detail: ErrorAnswer['detail']): string =>
  typeof detail === 'string'
    ? detail
    : detail.map(({ loc, msg }) => `${loc.slice(1).join('.') || loc.join('.')}: ${msg}`).join('; ');

/** The service returned an error. */
export class ApiError extends MediaServiceError {
  readonly status: number;
  readonly detail: string;
  /** The invalid values, if the request was not valid. */
  readonly items: readonly ValidationItem[];
  readonly reason: string | null;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly method: string;
  readonly url: string;

  constructor(answer: ErrorAnswer) {
    const detail = sentence(answer.detail);
    super(answer.reason === null ? detail : `${detail} (${answer.reason})`);
    this.status = answer.status;
    this.detail = detail;
    this.items = typeof answer.detail === 'string' ? [] : answer.detail;
    this.reason = answer.reason;
    this.requestId = answer.requestId;
    this.retryAfterSeconds = answer.retryAfterSeconds;
    this.method = answer.method;
    this.url = answer.url;
  }
}

/** 400, 413, 415, 416 and 422. */
export class InvalidRequestError extends ApiError {}
/** 401. */
export class UnauthenticatedError extends ApiError {}
/** 403. */
export class ForbiddenError extends ApiError {}
/** 404. */
export class NotFoundError extends ApiError {}
/** 409. */
export class ConflictError extends ApiError {
  /** Annotations that somebody else changed since the versions that were sent, as they are stored now. */
  readonly conflicts: readonly AnnotationConflict[];

  constructor(answer: ErrorAnswer) {
    super(answer);
    this.conflicts = answer.conflicts;
  }
}
/** 429. */
export class RateLimitedError extends ApiError {}
/** 500 and above. */
export class ServiceError extends ApiError {}

const CLASSES: Readonly<Record<number, typeof ApiError>> = {
  401: UnauthenticatedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitedError,
};

const isItems = (value: unknown): value is ValidationItem[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null && 'msg' in each);

/** Creates the error for a response. The pipeline interface has `message` where others have `detail`. */
export async function errorOf(response: Response, method: string): Promise<ApiError> {
  const { status, headers, url } = response;
  const text = await response.text().catch(() => '');
  let body: { detail?: unknown; message?: unknown; reason?: unknown; conflicts?: unknown } = {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) body = parsed;
  } catch {
    // The response is from a proxy; its body may be a whole page.
  }
  const said = body.detail ?? body.message;
  const detail =
    typeof said === 'string' || isItems(said) ? said : `The server returned ${status} ${response.statusText}`.trim();
  const after = Number(headers.get('retry-after') ?? NaN);
  const made = CLASSES[status] ?? (status >= 500 ? ServiceError : InvalidRequestError);
  return new made({
    status,
    method,
    url,
    detail,
    reason: typeof body.reason === 'string' ? body.reason : null,
    conflicts: Array.isArray(body.conflicts) ? (body.conflicts as AnnotationConflict[]) : [],
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: Number.isFinite(after) ? after : null,
  });
}
