import { StartError } from '../config/configuration-error';
import { type ObjectStore, ObjectExistsError, ObjectNotFoundError } from '../storage/object-store';
import type { InstallationEntity, InstallationRepository } from './persistence/installation.repository';

/** The object in a store that contains the id of its installation. */
export const STORE_MARK_KEY = '.installation.json';

const MAX_BYTES = 4096;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const markOf = (installation: string): Buffer => Buffer.from(`${JSON.stringify({ installation })}\n`);

/** What is known about a store without a mark. */
export interface StoreContents {
  /** Whether the store contains data of any installation of this service. */
  isUsed(): Promise<boolean>;
  /** Whether the database of this installation refers to any of it. */
  isKnown(): Promise<boolean>;
}

export interface StoreIdentityParts {
  readonly store: ObjectStore;
  /** The name of the store in messages. */
  readonly storageUrl: string;
  readonly installations: InstallationRepository;
  readonly contents: StoreContents;
}

/** The store belongs to another installation. The message is for the operator who starts the service. */
export class ForeignStoreError extends StartError {}

export interface Adoption {
  readonly installation: string;
  /** The mark that the store had before. */
  readonly before: string | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const ADOPT = 'npm run adopt-store';

/** Prevents an installation from using the store of another: its sweeps would delete all objects that its database does not know. */
export class StoreIdentity {
  private installation: string | undefined;

  constructor(readonly parts: StoreIdentityParts) {}

  /** Called at each start before anything is written. Idempotent: a start interrupted between the writes is completed by the next. */
  async claim(): Promise<void> {
    const { installations, store } = this.parts;
    const installation = await installations.ensure();
    this.installation = installation.id;
    const mark = await readStoreMark(store);
    if (mark === undefined) await this.markFirst(installation);
    else this.assertOurs(mark);
    await installations.setStoreMarked(new Date());
  }

  /** Throws unless the store has the mark of this installation. */
  async verify(): Promise<void> {
    const mark = await readStoreMark(this.parts.store);
    if (mark === undefined)
      throw new ForeignStoreError(`The store ${this.parts.storageUrl} no longer has the mark of an installation.`);
    this.assertOurs(mark);
  }

  /**
   * Objects unknown to the database may be removed if they are older than this time: one day, and at least one day after an adoption. Throws if the
   * store belongs to another installation.
   */
  async unknownSince(now: Date): Promise<Date> {
    await this.verify();
    const { storeAdoptedAt } = await this.parts.installations.ensure();
    const cutoff = new Date(now.getTime() - DAY_MS);
    return storeAdoptedAt !== null && storeAdoptedAt > cutoff ? new Date(0) : cutoff;
  }

  /** Writes the mark of this installation, whatever the store contains and whichever installation it belonged to. */
  async adopt(): Promise<Adoption> {
    const { installations, store } = this.parts;
    const { id } = await installations.ensure();
    const before = await readStoreMark(store);
    if (before !== id) {
      // Written first, so that the one-day period is kept even if the mark cannot be recorded.
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
        `The store ${storageUrl} lacks the mark that this installation (${id}) wrote on ${storeMarkedAt.toISOString()}: STORAGE_URL names another store, or this one was emptied. Set STORAGE_URL to the right store or restore it; ${ADOPT} accepts the store as it is.`,
      );
    if ((await contents.isUsed()) && !(await contents.isKnown()))
      throw new ForeignStoreError(
        `The store ${storageUrl} contains media that this database does not know: DATABASE_URL or STORAGE_URL belongs to another installation. Correct them; ${ADOPT} takes over the store, and media that the database does not know are removed a day later.`,
      );
    if (!(await writeFirstStoreMark(store, id))) this.assertOurs((await readStoreMark(store)) ?? '');
  }

  private assertOurs(mark: string): void {
    if (mark === this.installation) return;
    throw new ForeignStoreError(
      `The store ${this.parts.storageUrl} belongs to another installation (its mark is ${mark}, this database's is ${this.installation}): DATABASE_URL or STORAGE_URL is wrong. Correct them; ${ADOPT} takes over the store, and media that the database does not know are removed a day later.`,
    );
  }
}

/** The installation id in the store's mark; undefined if it has no mark. */
export async function readStoreMark(store: ObjectStore): Promise<string | undefined> {
  let text: string;
  try {
    text = (await store.read(STORE_MARK_KEY)).toString('utf8', 0, MAX_BYTES);
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return undefined;
    throw error;
  }
  return idIn(text);
}

/** Returns false if the store already has a mark. */
async function writeFirstStoreMark(store: ObjectStore, id: string): Promise<boolean> {
  try {
    await store.put(STORE_MARK_KEY, markOf(id), { ifAbsent: true });
    return true;
  } catch (error) {
    if (error instanceof ObjectExistsError) return false;
    throw error;
  }
}

async function replaceStoreMark(store: ObjectStore, id: string): Promise<void> {
  await store.put(STORE_MARK_KEY, markOf(id));
}

/** An unreadable mark is returned unchanged; it equals no installation id. */
function idIn(text: string): string {
  try {
    const { installation } = JSON.parse(text) as { installation?: unknown };
    if (typeof installation === 'string' && UUID.test(installation)) return installation;
  } catch {
    // The mark is not JSON.
  }
  return `of unknown form (${JSON.stringify(text.slice(0, 80))})`;
}
