const KEY = 'dms.tour';

/** Whether the tour is shown: to people who have not seen it, until they end it. */
class TourState {
  private on = localStorage.getItem(KEY) === null;
  private readonly listeners = new Set<() => void>();

  readonly isOn = (): boolean => this.on;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly begin = (): void => this.change(true);

  readonly end = (): void => {
    localStorage.setItem(KEY, 'done');
    this.change(false);
  };

  private change(on: boolean): void {
    this.on = on;
    for (const listener of this.listeners) listener();
  }
}

export const tour = new TourState();
