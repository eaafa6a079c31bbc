interface Described {
  readonly type: unknown;
  readonly message: unknown;
  readonly stack: unknown;
  readonly code: unknown;
  readonly aggregateErrors?: readonly unknown[] | undefined;
}

/**
 * The type, message, stack, code and causes of an error. Other properties, such as the values of a query or an identity provider's
 * response, stay out of the logs.
 */
export function describeError(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { type, message, stack, code, aggregateErrors } = error as Described;
  return { type, message, stack, code, aggregateErrors: aggregateErrors?.map(describeError) };
}
