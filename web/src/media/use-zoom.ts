import { useRef, useState, type CSSProperties, type PointerEvent as ReactPointerEvent } from 'react';
import { followPointer, useEvents } from '../design/events';

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
/** Degrees. */
const QUARTER = 90;
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
  /** By a quarter, clockwise. */
  readonly rotate: () => void;
  readonly isSideways: boolean;
  readonly style: CSSProperties;
  /** Of the picture. */
  readonly target: (element: HTMLDivElement | null) => void;
  readonly onPointerDown: (event: ReactPointerEvent) => void;
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLVideoElement;

interface Spot {
  readonly clientX: number;
  readonly clientY: number;
}

interface ShownView {
  readonly view: View;
  /** Null until the picture is in the document. */
  readonly element: HTMLDivElement | null;
  readonly target: (element: HTMLDivElement | null) => void;
  /** Keeps the picture in sight. */
  readonly show: (view: View) => void;
  /** The given point stays in place; the centre by default. */
  readonly zoomTo: (scale: number, point?: Spot) => void;
}

function useView(): ShownView {
  const [view, setView] = useState(WHOLE);
  const [element, target] = useState<HTMLDivElement | null>(null);
  const show = ({ scale, x, y }: View) => {
    const room = element?.parentElement;
    if (element === null || room === null || room === undefined) return;
    // As it is rotated.
    const box = element.getBoundingClientRect();
    const mostX = Math.max(0, ((box.width / view.scale) * scale - room.clientWidth) / 2 + PAN_PX);
    const mostY = Math.max(0, ((box.height / view.scale) * scale - room.clientHeight) / 2 + PAN_PX);
    setView(scale <= 1 ? WHOLE : { scale, x: within(x, mostX), y: within(y, mostY) });
  };
  const zoomTo: ShownView['zoomTo'] = (wanted, point) => {
    const { scale, x, y } = view;
    const next = Math.max(1, Math.min(MOST, wanted));
    const box = element?.getBoundingClientRect();
    if (box === undefined) return;
    // Where the point is from the middle of the picture as it would be without panning.
    const [px, py] =
      point === undefined
        ? [0, 0]
        : [point.clientX - (box.left + box.width / 2 - x), point.clientY - (box.top + box.height / 2 - y)];
    show({ scale: next, x: px - ((px - x) * next) / scale, y: py - ((py - y) * next) / scale });
  };
  return { view, element, target, show, zoomTo };
}

interface Pinch {
  readonly view: View;
  /** Of the picture as it would be without panning. */
  readonly middle: Spot;
  readonly distance: number;
  readonly at: Spot;
}

function betweenFingers([one, other]: readonly Spot[]): Pick<Pinch, 'distance' | 'at'> {
  const [from, to] = [one!, other!];
  return {
    distance: Math.max(1, Math.hypot(from.clientX - to.clientX, from.clientY - to.clientY)),
    at: { clientX: (from.clientX + to.clientX) / 2, clientY: (from.clientY + to.clientY) / 2 },
  };
}

function pinched({ view, middle, ...before }: Pinch, now: Pick<Pinch, 'distance' | 'at'>): View {
  const scale = Math.max(1, Math.min(MOST, (view.scale * now.distance) / before.distance));
  const share = scale / view.scale;
  return {
    scale,
    x: now.at.clientX - middle.clientX - (before.at.clientX - middle.clientX - view.x) * share,
    y: now.at.clientY - middle.clientY - (before.at.clientY - middle.clientY - view.y) * share,
  };
}

/** Two fingers zoom and pan; what is below them stays there. */
function usePinch({ view, element, show }: ShownView): void {
  const fingers = useRef(new Map<number, Spot>());
  const begun = useRef<Pinch | null>(null);
  const lift = ({ pointerId }: PointerEvent) => {
    if (fingers.current.delete(pointerId)) begun.current = null;
  };
  const press = (event: PointerEvent) => {
    const box = element?.getBoundingClientRect();
    if (event.pointerType !== 'touch' || box === undefined) return;
    fingers.current.set(event.pointerId, event);
    if (fingers.current.size === 1) return;
    event.preventDefault();
    event.stopPropagation();
    const middle = { clientX: box.left + box.width / 2 - view.x, clientY: box.top + box.height / 2 - view.y };
    const isPinch = fingers.current.size === 2;
    begun.current = isPinch ? { view, middle, ...betweenFingers([...fingers.current.values()]) } : null;
  };
  useEvents(element, { pointerdown: press }, true);
  useEvents(window, {
    pointermove: (event) => {
      if (!fingers.current.has(event.pointerId)) return;
      fingers.current.set(event.pointerId, event);
      if (begun.current !== null) show(pinched(begun.current, betweenFingers([...fingers.current.values()])));
    },
    pointerup: lift,
    pointercancel: lift,
  });
}

/** Zooms with the wheel, two fingers, double clicks unless they mean something else, and + and -; pans by dragging, and with Shift and the arrow keys. */
export function useZoom(isDoubleClickTaken = false): Zoom {
  const shown = useView();
  const { view, element, target, show, zoomTo } = shown;
  usePinch(shown);
  const [turn, setTurn] = useState(0);
  const { scale, x, y } = view;
  const rotate = () => {
    setTurn((turn + QUARTER) % 360);
    show(WHOLE);
  };
  useEvents(element, {
    wheel: (event) => {
      event.preventDefault();
      zoomTo(scale * Math.exp(-event.deltaY * WHEEL), event);
    },
    dblclick: (event) => {
      if (!isDoubleClickTaken) zoomTo(scale > 1 ? 1 : CLOSER, event);
    },
  });
  useEvents(element === null ? null : window, {
    keydown: (event) => {
      if (isField(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const pan = PANS[event.key];
      if (event.key === '+' || event.key === '=') zoomTo(scale * STEP);
      else if (event.key === '-') zoomTo(scale / STEP);
      else if (event.key === '0') show(WHOLE);
      else if (event.key.toLowerCase() === 'r') rotate();
      else if (pan !== undefined && event.shiftKey && scale > 1) show({ scale, x: x + pan[0], y: y + pan[1] });
      else return;
      event.preventDefault();
    },
  });
  const onPointerDown = (down: ReactPointerEvent) => {
    if (down.button > 1 || scale === 1) return;
    followPointer(down, ({ clientX, clientY }) =>
      show({ scale, x: x + clientX - down.clientX, y: y + clientY - down.clientY }),
    );
    down.preventDefault();
  };
  return {
    scale,
    zoomIn: () => zoomTo(scale * STEP),
    zoomOut: () => zoomTo(scale / STEP),
    rotate,
    isSideways: turn % 180 !== 0,
    style: styleOf(view, turn),
    target,
    onPointerDown,
  };
}

const styleOf = ({ scale, x, y }: View, turn: number): CSSProperties => {
  const variables: Record<string, string> = { '--zoom': String(scale), '--turn': String(turn) };
  return {
    ...variables,
    ...(scale === 1 && turn === 0 ? {} : { transform: `translate(${x}px, ${y}px) scale(${scale}) rotate(${turn}deg)` }),
    // Otherwise the browser scrolls with one finger.
    ...(scale === 1 ? { touchAction: 'pan-x pan-y' } : { cursor: 'grab', touchAction: 'none' }),
  };
};
