import { useEffect, useRef } from 'react';

type Handlers = { readonly [Type in keyof WindowEventMap]?: (event: WindowEventMap[Type]) => void };

type Handler = (event: PointerEvent) => void;

/** Handles events of a target that React does not handle: of the window, and wheels, for which React's listeners are passive. `isFirst` is before the elements inside. */
export function useEvents(target: EventTarget | null, handlers: Handlers, isFirst = false): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    if (target === null) return;
    const handle = (event: Event) => {
      const handler = latest.current[event.type as keyof WindowEventMap] as ((event: Event) => void) | undefined;
      handler?.(event);
    };
    const types = Object.keys(latest.current);
    for (const type of types) target.addEventListener(type, handle, { passive: false, capture: isFirst });
    return () => {
      for (const type of types) target.removeEventListener(type, handle, { capture: isFirst });
    };
  }, [target, isFirst]);
}

/** Follows the pointer, also outside of the element that it was pressed on, until it is lifted, taken by the browser or joined by a second finger. */
export function followPointer(
  { pointerId }: { readonly pointerId: number },
  move: (event: PointerEvent) => void,
  ended?: (isLifted: boolean) => void,
): void {
  const end = (isLifted: boolean) => {
    for (const [type, handle] of handlers) window.removeEventListener(type, handle, true);
    ended?.(isLifted);
  };
  const handlers: readonly (readonly ['pointermove' | 'pointerup' | 'pointercancel' | 'pointerdown', Handler])[] = [
    ['pointermove', (event) => event.pointerId === pointerId && move(event)],
    ['pointerup', (event) => event.pointerId === pointerId && end(true)],
    ['pointercancel', (event) => event.pointerId === pointerId && end(false)],
    ['pointerdown', (event) => event.pointerId !== pointerId && end(false)],
  ];
  for (const [type, handle] of handlers) window.addEventListener(type, handle, true);
}
