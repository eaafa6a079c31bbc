import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type CSSProperties,
  type PointerEvent as ReactPointerEvent,
} from 'react';

const MOST = 8;
const STEP = 1.4;
const CLOSER = 2.5;
const PAN_PX = 60;
const WHEEL = 0.0022;

interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

const WHOLE: View = { scale: 1, x: 0, y: 0 };
const PANS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [PAN_PX, 0],
  ArrowRight: [-PAN_PX, 0],
  ArrowUp: [0, PAN_PX],
  ArrowDown: [0, -PAN_PX],
};

const within = (value: number, most: number): number => Math.max(-most, Math.min(most, value));

export interface Zoom {
  readonly scale: number;
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly style: CSSProperties;
  /** Of the picture. */
  readonly target: (element: HTMLDivElement | null) => void;
  readonly onPointerDown: (event: ReactPointerEvent) => void;
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLVideoElement;

/** Zooms with the wheel, double clicks, and + and -; pans by dragging, and with Shift and the arrow keys. */
export function useZoom(): Zoom {
  const [view, setView] = useState(WHOLE);
  const [element, target] = useState<HTMLDivElement | null>(null);
  const latest = useRef(view);
  useEffect(() => {
    latest.current = view;
  }, [view]);

  /** Keeps the picture in sight. */
  const show = useCallback(
    ({ scale, x, y }: View) => {
      const room = element?.parentElement;
      if (element === null || room === null || room === undefined) return;
      const mostX = Math.max(0, (element.offsetWidth * scale - room.clientWidth) / 2 + PAN_PX);
      const mostY = Math.max(0, (element.offsetHeight * scale - room.clientHeight) / 2 + PAN_PX);
      setView(scale <= 1 ? WHOLE : { scale, x: within(x, mostX), y: within(y, mostY) });
    },
    [element],
  );
  /** The given point stays in place; the centre by default. */
  const zoomTo = useCallback(
    (wanted: number, point?: { readonly clientX: number; readonly clientY: number }) => {
      const { scale, x, y } = latest.current;
      const next = Math.max(1, Math.min(MOST, wanted));
      const box = element?.getBoundingClientRect();
      if (box === undefined) return;
      // Where the point is from the middle of the picture as it would be without panning.
      const [px, py] =
        point === undefined
          ? [0, 0]
          : [point.clientX - (box.left + box.width / 2 - x), point.clientY - (box.top + box.height / 2 - y)];
      show({ scale: next, x: px - ((px - x) * next) / scale, y: py - ((py - y) * next) / scale });
    },
    [element, show],
  );

  useEffect(() => {
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      zoomTo(latest.current.scale * Math.exp(-event.deltaY * WHEEL), event);
    };
    const onDoubleClick = (event: MouseEvent) => zoomTo(latest.current.scale > 1 ? 1 : CLOSER, event);
    const onKeyDown = (event: KeyboardEvent) => {
      if (isField(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const { scale, x, y } = latest.current;
      const pan = PANS[event.key];
      if (event.key === '+' || event.key === '=') zoomTo(scale * STEP);
      else if (event.key === '-') zoomTo(scale / STEP);
      else if (event.key === '0') show(WHOLE);
      else if (pan !== undefined && event.shiftKey && scale > 1) show({ scale, x: x + pan[0], y: y + pan[1] });
      else return;
      event.preventDefault();
    };
    // React listens to wheels passively, which may not keep the page from scrolling.
    element.addEventListener('wheel', onWheel, { passive: false });
    element.addEventListener('dblclick', onDoubleClick);
    window.addEventListener('keydown', onKeyDown);
    return () => {
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('dblclick', onDoubleClick);
      window.removeEventListener('keydown', onKeyDown);
    };
  }, [element, show, zoomTo]);

  const onPointerDown = (down: ReactPointerEvent) => {
    if (down.button !== 0 || view.scale === 1) return;
    const { scale, x, y } = view;
    const move = (event: PointerEvent) =>
      show({ scale, x: x + event.clientX - down.clientX, y: y + event.clientY - down.clientY });
    const end = () => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
    down.preventDefault();
  };
  const { scale, x, y } = view;
  const style = {
    '--zoom': String(scale),
    ...(scale === 1
      ? {}
      : { transform: `translate(${x}px, ${y}px) scale(${scale})`, cursor: 'grab', touchAction: 'none' }),
  } as CSSProperties;
  return {
    scale,
    zoomIn: () => zoomTo(scale * STEP),
    zoomOut: () => zoomTo(scale / STEP),
    style,
    target,
    onPointerDown,
  };
}
