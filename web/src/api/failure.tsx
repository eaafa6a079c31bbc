import { ApiError, ForbiddenError, NotFoundError, ServiceError } from 'dataset-media-service-sdk';
import { Button } from '../design/button';
import { EmptyState, Skeleton } from '../design/state';
import { texts } from '../texts';
import { isOutage } from './client';

const { failure } = texts.shell;

/** The message of an error. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : failure.unknown);

/** The message of the error of a request, if it failed. */
export const errorText = (error: Error | null): string | undefined => (error === null ? undefined : messageOf(error));

function titleOf(error: unknown): string {
  if (error instanceof NotFoundError) return failure.missing;
  if (error instanceof ForbiddenError) return failure.forbidden;
  // The service answered, so something that it needs is away, or it is busy.
  if (error instanceof ApiError && error.status === 503) return failure.unavailable;
  return isOutage(error) ? texts.shell.away : failure.title;
}

/** Replaces an answer that failed. Outages are shown by the banner, and end by themselves. */
export function Failure({
  error,
  onRetry,
  isPage,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** Where it is all of the page. */
  readonly isPage?: boolean | undefined;
}) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  const isServerFault = error instanceof ServiceError && !isOutage(error);
  return (
    <EmptyState
      isPage={isPage}
      icon="alert"
      title={titleOf(error)}
      text={isServerFault ? `${messageOf(error)}. ${failure.server}` : messageOf(error)}
      detail={isServerFault && requestId !== null ? requestId : undefined}
    >
      {onRetry !== undefined && <Button onPress={onRetry}>{failure.retry}</Button>}
    </EmptyState>
  );
}

/** Stands where an answer will be: its skeleton, or why it is not there. */
export function Pending({
  of: { data, error, refetch },
  isPage,
  ...style
}: {
  readonly of: { readonly data: unknown; readonly error: Error | null; readonly refetch: () => unknown };
  readonly height: number;
  readonly margin?: number;
  /** Where it is all of the page. */
  readonly isPage?: boolean | undefined;
}) {
  if (data !== undefined) return null;
  if (error !== null) return <Failure isPage={isPage} error={error} onRetry={() => void refetch()} />;
  return <Skeleton style={style} />;
}
