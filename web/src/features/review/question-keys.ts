import { useEvents } from '../../design/events';
import { isForSomethingElse } from '../../media/key-target';

interface QuestionActions {
  /** An option, from 0. */
  readonly choose?: (at: number) => void;
  readonly say?: (accepted: boolean) => void;
  readonly submit?: () => void;
  readonly skip?: () => void;
  readonly flag?: () => void;
  readonly takeBack?: (() => void) | undefined;
}

/** Keys of the question. A button that has the focus is pressed by Enter. */
export function useQuestionKeys(actions: QuestionActions): void {
  useEvents(window, {
    keydown: (event) => {
      if (isForSomethingElse(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const action = actionOf(event, actions);
      if (action === undefined) return;
      action();
      event.preventDefault();
    },
  });
}

function actionOf(
  { key, code, target }: KeyboardEvent,
  { choose, say, submit, skip, flag, takeBack }: QuestionActions,
): (() => void) | undefined {
  // With Shift, the key is another one on each keyboard.
  const [, digit] = /^(?:Digit|Numpad)([1-9])$/.exec(code) ?? [];
  if (digit !== undefined) return choose && (() => choose(Number(digit) - 1));
  if (key === 'y' || key === 'n') return say && (() => say(key === 'y'));
  if (key === 's') return skip;
  if (key === 'f') return flag;
  if (key === 'z') return takeBack;
  return key === 'Enter' && (target as Element).closest('button, a') === null ? submit : undefined;
}
