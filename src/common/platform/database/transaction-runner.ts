import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

type AfterCommit = () => void | Promise<void>;

interface Transaction {
  readonly manager: EntityManager;
  readonly afterCommit: AfterCommit[];
  failure: { readonly error: unknown } | null;
}

const MAX_TRIES = 5;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';

function lostARace(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === SERIALIZATION_FAILURE || code === DEADLOCK;
}

/** Transactions that reach every repository by context, so that none is passed by hand. A data source has one runner. */
@Injectable()
export class TransactionRunner {
  private readonly logger = new Logger(TransactionRunner.name);
  private readonly storage = new AsyncLocalStorage<Transaction>();

  constructor(private readonly dataSource: DataSource) {
    const { manager } = dataSource;
    // Whatever is asked through this manager, and so by every injected repository, belongs to the transaction of its caller.
    Object.defineProperty(manager, 'queryRunner', { get: () => this.storage.getStore()?.manager.queryRunner });
    // A repository keeps the query runner that its manager has when it is made.
    const getRepository = manager.getRepository.bind(manager);
    manager.getRepository = (entity) => this.storage.exit(() => getRepository(entity));
  }

  get isActive(): boolean {
    return this.storage.getStore() !== undefined;
  }

  /** Runs in a transaction, or joins the one we are in; a part that fails undoes the whole, even if its error is caught. */
  async run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const outer = this.storage.getStore();
    return outer === undefined ? await this.runOutermost(work) : await this.join(outer, work);
  }

  /** What is read in it is of one moment; it writes nothing. */
  async readTogether<T>(work: () => Promise<T>): Promise<T> {
    if (this.isActive) return await work();
    return await this.dataSource.transaction('REPEATABLE READ', (manager) =>
      this.storage.run({ manager, afterCommit: [], failure: null }, work),
    );
  }

  /** Runs once the transaction has committed, and never if it doesn't; at once where there is none. */
  async afterCommit(hook: AfterCommit): Promise<void> {
    const transaction = this.storage.getStore();
    if (transaction === undefined) await hook();
    else transaction.afterCommit.push(hook);
  }

  private async join<T>(outer: Transaction, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await work(outer.manager);
    } catch (error) {
      outer.failure ??= { error };
      throw error;
    }
  }

  private async runOutermost<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.tryOnce(work);
      } catch (error) {
        if (!lostARace(error) || tries === MAX_TRIES) throw error;
        await delay(Math.random() * 20 * 2 ** tries);
      }
    }
  }

  private async tryOnce<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const hooks: AfterCommit[] = [];
    const result = await this.dataSource.transaction(async (manager) => {
      const transaction: Transaction = { manager, afterCommit: hooks, failure: null };
      const value = await this.storage.run(transaction, () => work(manager));
      if (transaction.failure !== null) throw transaction.failure.error;
      return value;
    });
    for (const hook of hooks) await this.runHook(hook);
    return result;
  }

  private async runHook(hook: AfterCommit): Promise<void> {
    try {
      await hook();
    } catch (error) {
      // The commit stands, so its caller must not see a failure.
      this.logger.error('What should follow a commit failed', error instanceof Error ? error.stack : String(error));
    }
  }
}
