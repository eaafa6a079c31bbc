/** No element has the focus, or only the whole page does. */
export const isFocusFree = (): boolean =>
  document.activeElement === null || document.activeElement.matches('body, main');
