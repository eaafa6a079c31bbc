/** Nothing has the focus, or only the whole page: nobody is in the middle of something. */
export const isFocusFree = (): boolean =>
  document.activeElement === null || document.activeElement.matches('body, main');
