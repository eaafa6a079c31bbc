import { useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { SkipLink } from '../design/skip-link';
import { texts } from '../texts';
import { columnsOf, type Rectangle } from './grid-geometry';
import { inputHandlers, useCellFocus, type GridActions } from './grid-input';
import type { Lasso } from './selection';
import { useLasso } from './use-lasso';
import styles from './virtual-grid.module.css';

export interface VirtualGridProps extends GridActions {
  readonly label: string;
  /** Of a tile, in pixels; tiles grow to fill the row. */
  readonly minWidth: number;
  /** What a tile has below its picture. */
  readonly footer: number;
  readonly renderCell: (index: number) => ReactNode;
  readonly isSelected: (index: number) => boolean;
  /** None is drawn without. */
  readonly lasso?: Lasso | undefined;
  /** Which items are in the document, so that they can be loaded. */
  readonly onVisible: (first: number, last: number) => void;
}

const GAP = 8;
const OVERSCAN = 1;
const ID = 'pictures';
const NO_LASSO: Lasso = { begin: () => undefined, around: () => undefined };
const positions = new Map<string, number>();

/** A grid of tiles, of which only those in sight are in the document. One tab stop; the arrow keys move in it. */
export function VirtualGrid(props: VirtualGridProps) {
  const { label, count, renderCell, isSelected, lasso, scrollKey } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const room = useRoom(scroller, props);
  const { width, height, columns, rowHeight } = room;
  const page = Math.max(1, Math.floor(height / rowHeight)) * columns;
  const cells = { count, columns, width, rowHeight, gap: GAP };
  const [lassoed, beginLasso] = useLasso(scroller, content, cells, lasso ?? NO_LASSO);
  const rows = useRows(scroller, room, props);
  const focus = useCellFocus(scroller, props);
  const isTabStop = (index: number) =>
    index === Math.min(focus.active, count - 1) ||
    (index === rows.first && (focus.active < rows.first || focus.active > rows.last));

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      onPointerDown={lasso === undefined ? undefined : beginLasso}
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
        aria-multiselectable={lasso !== undefined}
        aria-rowcount={rows.count}
        aria-colcount={columns}
        className={styles.content}
        style={{ height: rows.height }}
        {...inputHandlers(props, { columns, page }, focus, rows.scrollTo)}
      >
        {width > 0 &&
          rows.shown.map(({ key, index, start }) => (
            <Row key={key} {...{ index, start, room, count, isSelected, isTabStop, renderCell }} onFocus={focus.set} />
          ))}
        {lassoed !== undefined && <LassoFrame rectangle={lassoed} />}
      </div>
    </div>
  );
}

interface RowProps extends Pick<VirtualGridProps, 'count' | 'isSelected' | 'renderCell'> {
  readonly index: number;
  readonly start: number;
  readonly room: Room;
  readonly isTabStop: (index: number) => boolean;
  readonly onFocus: (index: number) => void;
}

function Row({ index: row, start, room, count, isSelected, isTabStop, renderCell, onFocus }: RowProps) {
  const { columns, rowHeight } = room;
  return (
    <div
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
            tabIndex={isTabStop(index) ? 0 : -1}
            className={styles.cell}
            onFocus={({ target, currentTarget }) => {
              if (target === currentTarget) onFocus(index);
            }}
          >
            {renderCell(index)}
          </div>
        );
      })}
    </div>
  );
}

function LassoFrame({ rectangle: { left, top, right, bottom } }: { readonly rectangle: Rectangle }) {
  return <div className={styles.lasso} style={{ left, top, width: right - left, height: bottom - top }} />;
}

interface Room {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  /** With the gap below. */
  readonly rowHeight: number;
}

/** How large the grid is, and how tiles fit into it. */
function useRoom(
  scroller: RefObject<HTMLDivElement | null>,
  { minWidth, footer }: Pick<VirtualGridProps, 'minWidth' | 'footer'>,
): Room {
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 });
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
  }, [scroller]);
  const columns = columnsOf({ width, height, minWidth, gap: GAP, footer, overscan: OVERSCAN });
  const rowHeight = Math.floor((width - GAP * (columns - 1)) / columns) + footer + GAP;
  return { width, height, columns, rowHeight };
}

/** The rows in sight; tells which items are in the document. */
function useRows(
  scroller: RefObject<HTMLDivElement | null>,
  { width, columns, rowHeight }: Room,
  { count, onVisible, scrollKey }: VirtualGridProps,
) {
  const rows = Math.ceil(count / columns);
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
  const scrollTo = (index: number) => virtualizer.scrollToIndex(Math.floor(index / columns));
  return { count: rows, height: virtualizer.getTotalSize(), shown, first, last, scrollTo };
}
