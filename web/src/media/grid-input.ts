import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react';
import { isFocusFree } from '../design/focus';
import { moved } from './grid-geometry';
import { secondChances } from './picture-attempts';

/** The items that were opened last. */
const opened = new Map<string, number>();
let hadFocus = false;

export interface GridActions {
  readonly count: number;
  readonly onOpen: (index: number) => void;
  readonly onSelect: (index: number, how: 'toggle' | 'range' | 'all') => void;
  /** Instead of what is loaded. */
  readonly onSelectAll?: (() => void) | undefined;
  /** Where the scroll position is remembered under. */
  readonly scrollKey: string;
}

export interface CellFocus {
  /** The item that the keys act on. */
  readonly active: number;
  readonly set: (index: number) => void;
  /** Makes an item active and focuses it once it is in the document. */
  readonly move: (index: number) => void;
}

export function useCellFocus(
  scroller: RefObject<HTMLDivElement | null>,
  { scrollKey, count }: Pick<GridActions, 'scrollKey' | 'count'>,
): CellFocus {
  const [active, set] = useState(opened.get(scrollKey) ?? 0);
  const movesFocus = useRef(false);
  // From a grid that was there before, and from what was opened in this one.
  useLayoutEffect(() => {
    const element = scroller.current!;
    movesFocus.current = isFocusFree() && (hadFocus || opened.has(scrollKey));
    hadFocus = false;
    return () => {
      hadFocus = element.contains(document.activeElement);
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  useEffect(() => {
    if (!movesFocus.current) return;
    // Far away it is in the document only after scrolling.
    const cell = scroller.current?.querySelector<HTMLElement>(`[data-index="${active}"]`);
    if (cell === null || cell === undefined) return;
    movesFocus.current = false;
    if (isFocusFree() || scroller.current?.contains(document.activeElement) === true) cell.focus();
  });
  const move = (index: number) => {
    set(index);
    movesFocus.current = true;
  };
  // There are fewer items than were estimated, and the focused one is no longer in the document.
  useEffect(() => {
    if (active >= count && count > 0) move(count - 1);
  }, [active, count]);
  return { active, set, move };
}

/** What keys and clicks do. */
export function inputHandlers(
  { count, onSelect, onSelectAll, scrollKey, ...props }: GridActions,
  { columns, page }: { readonly columns: number; readonly page: number },
  { active, set, move }: CellFocus,
  scrollTo: (index: number) => void,
) {
  const onOpen = (index: number) => {
    opened.set(scrollKey, index);
    props.onOpen(index);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.target as Element).closest('[role=gridcell]') !== event.target) return;
    const next = moved(event.key, active, { columns, page, count });
    if (next !== undefined) {
      move(next);
      scrollTo(next);
      if (event.shiftKey) onSelect(next, 'range');
    } else if (event.key === 'Enter') onOpen(active);
    else if (event.key === ' ') onSelect(active, 'toggle');
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      if (onSelectAll === undefined) onSelect(active, 'all');
      else onSelectAll();
    } else if (event.key === 'r' && !event.ctrlKey && !event.metaKey && !event.altKey) secondChances.give();
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent) => {
    const target = event.target as Element;
    const cell = target.closest<HTMLElement>('[role=gridcell]');
    if (cell === null || target.closest('button') !== null) return;
    const index = Number(cell.dataset['index']);
    set(index);
    if (event.shiftKey) onSelect(index, 'range');
    else if (event.ctrlKey || event.metaKey) onSelect(index, 'toggle');
    else onOpen(index);
  };
  return { onKeyDown, onClick };
}
