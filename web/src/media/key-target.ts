/** A field that takes letters, or a dialog or a menu that is above the page. */
export const isForSomethingElse = (target: EventTarget | null): boolean =>
  (target instanceof Element &&
    target.matches('input:not([type=checkbox], [type=radio], [type=range]), textarea, select')) ||
  document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;
