interface Described {
  readonly type: unknown;
  readonly message: unknown;
  readonly stack: unknown;
  readonly code: unknown;
  readonly aggregateErrors?: readonly unknown[] | undefined;
}

/**
 * What went wrong, and where. Whatever else libraries hang on their errors stays out of the logs: the values of a query,
 * the answer of an identity provider.
 */
export function describeError(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { type, message, stack, code, aggregateErrors } = error as Described;
  return { type, message, stack, code, aggregateErrors: aggregateErrors?.map(describeError) };
}
