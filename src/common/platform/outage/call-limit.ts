import { AsyncLocalStorage } from 'node:async_hooks';

const limits = new AsyncLocalStorage<number>();

/** Sets the timeout of each database and table call within the work; 0 for none. */
export const withCallLimit = <T>(milliseconds: number, work: () => T): T => limits.run(milliseconds, work);

/** Undefined outside of withCallLimit: then the configured timeout applies, since a caller may be waiting. */
export const callLimit = (): number | undefined => limits.getStore();

/** For work without a time limit, such as migrations. */
export const withoutCallLimit = <T>(work: () => T): T => withCallLimit(0, work);
