import { StartError } from '../config/start-error';
import type { ObjectStore } from '../storage/object-store';
import type { InstallationEntity } from './persistence/installation.entity';
import type { InstallationRepository } from './persistence/installation.repository';
import { readStoreMark, replaceStoreMark, writeFirstStoreMark } from './store-mark';

/** What the program knows of a store that carries no mark. */
export interface StoreContents {
  /** Whether anything lies in the store that some installation of this service has written. */
  isUsed(): Promise<boolean>;
  /** Whether any of it is in our database. */
  isKnown(): Promise<boolean>;
}

export interface StoreIdentityParts {
  readonly store: ObjectStore;
  /** Names the store in sentences. */
  readonly storageUrl: string;
  readonly installations: InstallationRepository;
  readonly contents: StoreContents;
}

/** The store is not this installation's; the message says so to the person who starts the service. */
export class ForeignStoreError extends StartError {}

export interface Adoption {
  readonly installation: string;
  /** Whose mark the store carried before. */
  readonly before: string | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const ADOPT = 'npm run adopt-store';

/** Keeps an installation off a store that is another's: all that its database does not know would be swept there. */
export class StoreIdentity {
  private installation: string | undefined;

  constructor(readonly parts: StoreIdentityParts) {}

  /** At each start, before anything is written. Cut off between its writes, the next start goes on. */
  async claim(): Promise<void> {
    const { installations, store } = this.parts;
    const installation = await installations.ensure();
    this.installation = installation.id;
    const mark = await readStoreMark(store);
    if (mark === undefined) await this.markFirst(installation);
    else this.assertOurs(mark);
    await installations.setStoreMarked(new Date());
  }

  /** Throws unless the store carries our mark now. */
  async verify(): Promise<void> {
    const mark = await readStoreMark(this.parts.store);
    if (mark === undefined)
      throw new ForeignStoreError(`The store ${this.parts.storageUrl} carries no mark of an installation any more.`);
    this.assertOurs(mark);
  }

  /**
   * Objects that the database does not know may be removed when they are older than this: a day; none within a day after
   * an adoption. Throws when the store is not ours.
   */
  async unknownSince(now: Date): Promise<Date> {
    await this.verify();
    const { storeAdoptedAt } = await this.parts.installations.ensure();
    const cutoff = new Date(now.getTime() - DAY_MS);
    return storeAdoptedAt !== null && storeAdoptedAt > cutoff ? new Date(0) : cutoff;
  }

  /** Makes the store ours, whatever it holds and whosever it was. */
  async adopt(): Promise<Adoption> {
    const { installations, store } = this.parts;
    const { id } = await installations.ensure();
    const before = await readStoreMark(store);
    if (before !== id) {
      // First, so that the day is kept even if we are cut off after the mark.
      await installations.setStoreAdopted(new Date());
      await replaceStoreMark(store, id);
    }
    await installations.setStoreMarked(new Date());
    return { installation: id, before };
  }

  private async markFirst({ id, storeMarkedAt }: InstallationEntity): Promise<void> {
    const { store, storageUrl, contents } = this.parts;
    if (storeMarkedAt !== null)
      throw new ForeignStoreError(
        `The store ${storageUrl} lacks the mark that this installation (${id}) wrote on ${storeMarkedAt.toISOString()}: STORAGE_URL names another store, or this one was emptied. Name or restore the right one; ${ADOPT} goes on with it as it is.`,
      );
    if ((await contents.isUsed()) && !(await contents.isKnown()))
      throw new ForeignStoreError(
        `The store ${storageUrl} holds media of which this database knows nothing: DATABASE_URL or STORAGE_URL is another installation's. Name the right ones; ${ADOPT} takes the store over, and what the database does not know is removed a day later.`,
      );
    if (!(await writeFirstStoreMark(store, id))) this.assertOurs((await readStoreMark(store)) ?? '');
  }

  private assertOurs(mark: string): void {
    if (mark === this.installation) return;
    throw new ForeignStoreError(
      `The store ${this.parts.storageUrl} belongs to another installation (its mark is ${mark}, this database's is ${this.installation}): DATABASE_URL or STORAGE_URL is wrong. Name the right ones; ${ADOPT} takes the store over, and what the database does not know is removed a day later.`,
    );
  }
}
