import { TryAgain } from './try-again';

export type ConnectionState = 'ok' | 'away' | 'signed-out';

const SIGN_IN_KEY = 'dms.sign-in';

/** That this service wants people to sign in is known from its having asked for it. */
export const rememberSignIn = (isWanted: boolean): void =>
  isWanted ? localStorage.setItem(SIGN_IN_KEY, 'wanted') : localStorage.removeItem(SIGN_IN_KEY);
export const wantsSignIn = (): boolean => localStorage.getItem(SIGN_IN_KEY) !== null;

const tabs = new BroadcastChannel('dms.session');
/** Tells the tabs that wait for it. */
export const announceSignIn = (): void => tabs.postMessage('signed-in');

/** Whether the service answers, and knows who asks. While it is away, asks for its health until it is back. */
class ConnectionWatch {
  private current: ConnectionState = 'ok';
  private held = 0;
  private isTrying = false;
  private readonly tryAgain = new TryAgain();
  private readonly listeners = new Set<() => void>();
  private readonly returns = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly read = (): ConnectionState => this.current;

  onReturn(listener: () => void): void {
    this.returns.add(listener);
  }

  sessionEnded(): void {
    rememberSignIn(true);
    this.change('signed-out');
  }

  /** The user signed in again, here or in another tab. */
  readonly signedIn = (): void => {
    if (this.current === 'signed-out') this.returned();
  };

  /** At once if a user is signed in. */
  untilSignedIn(): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.current === 'signed-out') return;
        unsubscribe();
        resolve();
      };
      const unsubscribe = this.subscribe(look);
      look();
    });
  }

  /** While there is such work, signing in happens in another tab, so that this page stays. */
  hold(): () => void {
    this.held += 1;
    return () => {
      this.held -= 1;
    };
  }

  get isHeld(): boolean {
    return this.held > 0;
  }

  lost(): void {
    this.change('away');
    this.lostPart();
  }

  /** What an answer needs is away: the service is only if it is not ready either. */
  lostPart(): void {
    if (this.isTrying) return;
    this.isTrying = true;
    this.tryAgain.lost();
    this.tryLater();
  }

  private tryLater(): void {
    const failed = () => {
      this.change('away');
      this.tryLater();
    };
    setTimeout(() => {
      fetch('/health/ready', { cache: 'no-store' }).then(({ ok }) => (ok ? this.returned() : failed()), failed);
    }, this.tryAgain.afterMs);
  }

  private returned(): void {
    this.isTrying = false;
    this.tryAgain.returned();
    this.change('ok');
    for (const listener of this.returns) listener();
  }

  private change(state: ConnectionState): void {
    if (this.current === state) return;
    this.current = state;
    for (const listener of this.listeners) listener();
  }
}

export const connection = new ConnectionWatch();

tabs.onmessage = connection.signedIn;
// The user may have signed in by other means before returning to this tab.
window.addEventListener('focus', () => {
  if (connection.read() !== 'signed-out') return;
  fetch('/api/v1/workspaces', { cache: 'no-store' }).then(
    ({ ok }) => ok && connection.signedIn(),
    () => connection.lost(),
  );
});
