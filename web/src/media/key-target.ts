/** A field, or a list in which a letter leads to what begins with it. */
export const takesLetters = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest(
    'input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [role=menu], [role=listbox]',
  ) !== null;

/** A dialog or a menu is above the page. */
export const isBelowAnother = (): boolean =>
  document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;

export const isForSomethingElse = (target: EventTarget | null): boolean => takesLetters(target) || isBelowAnother();
