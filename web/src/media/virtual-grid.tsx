import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { isFocusFree } from '../design/focus';
import { SkipLink } from '../design/skip-link';
import { texts } from '../texts';
import { columnsOf, moved } from './grid-geometry';
import { secondChances } from './picture-attempts';
import type { Lasso } from './selection';
import { useLasso } from './use-lasso';
import styles from './virtual-grid.module.css';

export interface VirtualGridProps {
  readonly label: string;
  readonly count: number;
  /** Of a tile, in pixels; tiles grow to fill the row. */
  readonly minWidth: number;
  /** What a tile has below its picture. */
  readonly footer: number;
  readonly renderCell: (index: number) => ReactNode;
  readonly isSelected: (index: number) => boolean;
  readonly onOpen: (index: number) => void;
  readonly onSelect: (index: number, how: 'toggle' | 'range' | 'all') => void;
  /** Instead of what is loaded. */
  readonly onSelectAll?: (() => void) | undefined;
  /** None is drawn without. */
  readonly lasso?: Lasso | undefined;
  /** Which items are in the document, so that they can be loaded. */
  readonly onVisible: (first: number, last: number) => void;
  /** Where the scroll position is remembered under. */
  readonly scrollKey: string;
}

const GAP = 8;
const OVERSCAN = 1;
const ID = 'pictures';
const NO_LASSO: Lasso = { begin: () => undefined, around: () => undefined };
const positions = new Map<string, number>();
/** The items that were opened last. */
const opened = new Map<string, number>();
let hadFocus = false;

/** A grid of tiles, of which only those in sight are in the document. One tab stop; the arrow keys move in it. */
export function VirtualGrid(props: VirtualGridProps) {
  const { label, count, minWidth, footer, renderCell, isSelected, onSelect, onVisible, scrollKey } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 });
  const [active, setActive] = useState(opened.get(scrollKey) ?? 0);
  const movesFocus = useRef(false);

  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      setSize({
        width: element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight),
        height: element.clientHeight,
      });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const columns = columnsOf({ width, height, minWidth, gap: GAP, footer, overscan: OVERSCAN });
  const rowHeight = Math.floor((width - GAP * (columns - 1)) / columns) + footer + GAP;
  const rows = Math.ceil(count / columns);
  const cells = { count, columns, width, rowHeight, gap: GAP };
  const [lassoed, beginLasso] = useLasso(scroller, content, cells, props.lasso ?? NO_LASSO);
  const virtualizer = useVirtualizer({
    count: rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    paddingStart: GAP,
    paddingEnd: 72,
    initialOffset: positions.get(scrollKey) ?? 0,
    enabled: width > 0,
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);

  const shown = virtualizer.getVirtualItems();
  const first = (shown[0]?.index ?? 0) * columns;
  const last = Math.min(count, ((shown.at(-1)?.index ?? -1) + 1) * columns) - 1;
  useEffect(() => {
    if (last >= first) onVisible(first, last);
  }, [first, last, onVisible]);

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

  const cellAt = (index: number) => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
  useEffect(() => {
    if (!movesFocus.current) return;
    // Far away it is in the document only after scrolling.
    const cell = cellAt(active);
    if (cell === null || cell === undefined) return;
    movesFocus.current = false;
    if (isFocusFree() || scroller.current?.contains(document.activeElement) === true) cell.focus();
  });
  const onOpen = (index: number) => {
    opened.set(scrollKey, index);
    props.onOpen(index);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.target as Element).closest('[role=gridcell]') !== event.target) return;
    const page = Math.max(1, Math.floor(height / rowHeight)) * columns;
    const next = moved(event.key, active, { columns, page, count });
    if (next !== undefined) {
      setActive(next);
      movesFocus.current = true;
      virtualizer.scrollToIndex(Math.floor(next / columns));
      if (event.shiftKey) onSelect(next, 'range');
    } else if (event.key === 'Enter') onOpen(active);
    else if (event.key === ' ') onSelect(active, 'toggle');
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      if (props.onSelectAll === undefined) onSelect(active, 'all');
      else props.onSelectAll();
    } else if (event.key === 'r' && !event.ctrlKey && !event.metaKey && !event.altKey) secondChances.give();
    else return;
    event.preventDefault();
  };

  const onClick = (event: MouseEvent) => {
    const target = event.target as Element;
    const cell = target.closest<HTMLElement>('[role=gridcell]');
    if (cell === null || target.closest('button') !== null) return;
    const index = Number(cell.dataset['index']);
    setActive(index);
    if (event.shiftKey) onSelect(index, 'range');
    else if (event.ctrlKey || event.metaKey) onSelect(index, 'toggle');
    else onOpen(index);
  };

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      onPointerDown={props.lasso === undefined ? undefined : beginLasso}
      onScroll={({ currentTarget }) => positions.set(scrollKey, currentTarget.scrollTop)}
    >
      <SkipLink
        label={texts.media.skip}
        to={ID}
        onSkip={() => scroller.current?.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]')?.focus()}
      />
      <div
        ref={content}
        id={ID}
        role="grid"
        aria-label={label}
        aria-multiselectable={props.lasso !== undefined}
        aria-rowcount={rows}
        aria-colcount={columns}
        className={styles.content}
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        {width > 0 &&
          shown.map(({ key, index: row, start }) => (
            <div
              key={key}
              role="row"
              aria-rowindex={row + 1}
              className={styles.row}
              style={{
                transform: `translateY(${start}px)`,
                gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
                gap: GAP,
                gridAutoRows: '100%',
                height: rowHeight - GAP,
              }}
            >
              {Array.from({ length: Math.min(columns, count - row * columns) }, (_, column) => {
                const index = row * columns + column;
                return (
                  <div
                    key={index}
                    role="gridcell"
                    aria-colindex={column + 1}
                    aria-selected={isSelected(index)}
                    data-index={index}
                    tabIndex={
                      index === Math.min(active, count - 1) || (index === first && (active < first || active > last))
                        ? 0
                        : -1
                    }
                    className={styles.cell}
                    onFocus={({ target, currentTarget }) => {
                      if (target === currentTarget) setActive(index);
                    }}
                  >
                    {renderCell(index)}
                  </div>
                );
              })}
            </div>
          ))}
        {lassoed !== undefined && (
          <div
            className={styles.lasso}
            style={{
              left: lassoed.left,
              top: lassoed.top,
              width: lassoed.right - lassoed.left,
              height: lassoed.bottom - lassoed.top,
            }}
          />
        )}
      </div>
    </div>
  );
}
