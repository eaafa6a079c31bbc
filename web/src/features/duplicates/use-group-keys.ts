import { useEffect, useRef, type KeyboardEvent } from 'react';

export interface GroupActions {
  readonly move: (by: number) => void;
  /** That one stays, alone or besides others. */
  readonly choose: (place: number, isAlone: boolean) => void;
  readonly accept: () => void;
  readonly different: () => void;
  readonly compare: () => void;
  readonly undo: () => void;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [role=dialog], [role=menu]') !== null;

/**
 * Keys of the list, while the focus is in it. J, K and the arrows also lead there from the rest of the page, except from where people type.
 */
export function useGroupKeys(actions: GroupActions): (event: KeyboardEvent) => void {
  const current = useRef(actions);
  useEffect(() => {
    current.current = actions;
  });
  useEffect(() => {
    const lead = (event: globalThis.KeyboardEvent) => {
      const by = moveOf(event.key);
      if (by === 0 || event.defaultPrevented || isTyping(event.target) || hasModifier(event)) return;
      if (event.key.startsWith('Arrow') && event.target !== document.body) return;
      event.preventDefault();
      current.current.move(by);
    };
    document.addEventListener('keydown', lead);
    return () => document.removeEventListener('keydown', lead);
  }, []);
  return (event) => {
    if (isTyping(event.target) || hasModifier(event)) return;
    if (run(event, current.current)) event.preventDefault();
  };
}

const hasModifier = ({ ctrlKey, metaKey, altKey }: Pick<globalThis.KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>) =>
  ctrlKey || metaKey || altKey;

function moveOf(key: string): number {
  if (key === 'j' || key === 'ArrowDown') return 1;
  return key === 'k' || key === 'ArrowUp' ? -1 : 0;
}

function run({ key, code, shiftKey, target }: KeyboardEvent, actions: GroupActions): boolean {
  const by = moveOf(key);
  // With Shift, the key is another one on each keyboard.
  const [, digit] = /^(?:Digit|Numpad)([1-9])$/.exec(code) ?? [];
  if (by !== 0) actions.move(by);
  else if (digit !== undefined) actions.choose(Number(digit) - 1, !shiftKey);
  else if (key === 'd') actions.different();
  else if (key === 'c') actions.compare();
  else if (key === 'u') actions.undo();
  // A button that has the focus is pressed by Enter.
  else if (key === 'Enter' && (target as Element).closest('button') === null) actions.accept();
  else return false;
  return true;
}
