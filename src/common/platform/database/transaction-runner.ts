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

function isSerializationFailure(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === SERIALIZATION_FAILURE || code === DEADLOCK;
}

/** Propagates transactions to every repository by async context, so that they need not be passed as arguments. There is one per data source. */
@Injectable()
export class TransactionRunner {
  private readonly logger = new Logger(TransactionRunner.name);
  private readonly storage = new AsyncLocalStorage<Transaction>();

  constructor(private readonly dataSource: DataSource) {
    const { manager } = dataSource;
    // Queries through this manager, and so through every injected repository, belong to the caller's transaction.
    Object.defineProperty(manager, 'queryRunner', { get: () => this.storage.getStore()?.manager.queryRunner });
    // A repository keeps the query runner that its manager had at creation.
    const getRepository = manager.getRepository.bind(manager);
    manager.getRepository = (entity) => this.storage.exit(() => getRepository(entity));
  }

  get isActive(): boolean {
    return this.storage.getStore() !== undefined;
  }

  /** Runs in a new transaction, or joins the current one. A failed part rolls back the whole transaction, even if its error is caught. */
  async run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const outer = this.storage.getStore();
    return outer === undefined ? await this.runOutermost(work) : await this.join(outer, work);
  }

  /** Runs reads in one read-only snapshot. */
  async readTogether<T>(work: () => Promise<T>): Promise<T> {
    if (this.isActive) return await work();
    return await this.dataSource.transaction('REPEATABLE READ', (manager) =>
      this.storage.run({ manager, afterCommit: [], failure: null }, work),
    );
  }

  /** Runs the hook after the transaction commits, and not if it rolls back; immediately if there is no transaction. */
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
        if (!isSerializationFailure(error) || tries === MAX_TRIES) throw error;
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
      // The transaction has committed, so the caller must not see a failure.
      this.logger.error('A hook that runs after a commit failed', error instanceof Error ? error.stack : String(error));
    }
  }
}
