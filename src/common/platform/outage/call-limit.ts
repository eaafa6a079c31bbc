import { AsyncLocalStorage } from 'node:async_hooks';

const limits = new AsyncLocalStorage<number>();

/** What the work asks of the database and of tables may take so long for each call; 0 for any time. */
export const withCallLimit = <T>(milliseconds: number, work: () => T): T => limits.run(milliseconds, work);

/** Undefined where a caller may be waiting: then the configured limit holds. */
export const callLimit = (): number | undefined => limits.getStore();

/** For work that takes as long as it takes, such as migrations. */
export const withoutCallLimit = <T>(work: () => T): T => withCallLimit(0, work);
