import { newId } from './edit';
import type { Unsent } from './unsent-edits';

const PREFIX = 'dms.unsent-edits.';

/** Keeps the unsent edits of this page in the browser, and takes over those of the same person in pages that were closed. Throws if the browser has no room. */
export class UnsentStorage {
  private readonly own: string;
  private readonly waited: Set<string>;

  constructor(
    person: string,
    private readonly adopt: (edits: Unsent) => void,
  ) {
    const prefix = `${PREFIX}${person}.`;
    this.own = prefix + newId();
    this.waited = new Set([this.own]);
    // Pages without TLS have no locks: what is there is of a page that is closed, or is sent twice, which changes nothing.
    const locks = navigator.locks as LockManager | undefined;
    void locks?.request(this.own, () => new Promise(() => undefined));
    window.addEventListener('storage', ({ key }) => key?.startsWith(prefix) && locks !== undefined && this.await(key));
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) this.await(key);
  }

  save(unsent: Unsent): void {
    if (unsent.length === 0) localStorage.removeItem(this.own);
    else localStorage.setItem(this.own, JSON.stringify(unsent));
  }

  /** Until the page that has them is closed. */
  private await(key: string): void {
    if (this.waited.has(key)) return;
    this.waited.add(key);
    const locks = navigator.locks as LockManager | undefined;
    const take = () => {
      const text = localStorage.getItem(key);
      if (text !== null) this.adopt(JSON.parse(text) as Unsent);
      localStorage.removeItem(key);
    };
    if (locks === undefined) take();
    else void locks.request(key, take);
  }
}
