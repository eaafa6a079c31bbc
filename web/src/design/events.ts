import { useEffect, useRef } from 'react';

type Handlers = { readonly [Type in keyof WindowEventMap]?: (event: WindowEventMap[Type]) => void };

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

/** Follows the pointer, also outside of the element that it was pressed on, until it is lifted. */
export function followPointer(move: (event: PointerEvent) => void, lifted?: () => void): void {
  const end = () => {
    window.removeEventListener('pointermove', move);
    window.removeEventListener('pointerup', end);
    window.removeEventListener('pointercancel', end);
    lifted?.();
  };
  window.addEventListener('pointermove', move);
  window.addEventListener('pointerup', end);
  window.addEventListener('pointercancel', end);
}
