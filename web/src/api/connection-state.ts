export type ConnectionState = 'ok' | 'away' | 'signed-out';

const TRY_AGAIN_MS = 1_500;

/** Whether the service answers, and knows who asks. While it is away, asks for its health until it is back. */
class ConnectionWatch {
  private current: ConnectionState = 'ok';
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
    this.change('signed-out');
  }

  lost(): void {
    if (this.current === 'away') return;
    this.change('away');
    this.tryLater();
  }

  private tryLater(): void {
    setTimeout(() => {
      fetch('/health/ready', { cache: 'no-store' }).then(
        ({ ok }) => (ok ? this.returned() : this.tryLater()),
        () => this.tryLater(),
      );
    }, TRY_AGAIN_MS);
  }

  private returned(): void {
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
