const KEY = 'dms.single-keys';

/** Whether keys of one letter, digit or sign do something: some people press them by accident, or speak them. */
export const hasSingleKeys = (): boolean => localStorage.getItem(KEY) !== 'off';

export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, 'off');
}
