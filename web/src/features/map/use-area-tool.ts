import { useCallback, useMemo, useState } from 'react';
import { useEvents } from '../../design/events';
import { isForSomethingElse } from '../../media/key-target';
import { areaOf, rectangleOf } from './area';
import { rectangleAfter } from './map-keys';
import type { MapScene } from './map-scene';
import type { Box, Point } from './viewport';

/** In pixels: the tolerance of simplifying a drawn area. */
const TOLERANCE_PX = 1.5;

export interface AreaTool {
  readonly isOn: boolean;
  /** The drawn area, in coordinates of the map. */
  readonly line: readonly Point[];
  readonly rectangle: Box | null;
  readonly toggle: () => void;
  readonly onLine: (line: readonly Point[], isDone: boolean) => void;
  /** Whether the key was for it. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** Draws areas: around media with the pointer, or as a rectangle with the keyboard. */
export function useAreaTool(scene: MapScene | null, onArea: (corners: readonly Point[]) => void): AreaTool {
  const [isOn, setIsOn] = useState(false);
  const [line, setLine] = useState<readonly Point[]>([]);
  const [rectangle, setRectangle] = useState<Box | null>(null);
  const end = useCallback(() => {
    setIsOn(false);
    setLine([]);
    setRectangle(null);
  }, []);
  const take = useCallback(
    (corners: readonly Point[]) => {
      end();
      const area = scene === null ? undefined : areaOf(corners, TOLERANCE_PX / scene.read().view.scale);
      if (area !== undefined) onArea(area);
    },
    [scene, end, onArea],
  );
  const onLine = useCallback(
    (drawn: readonly Point[], isDone: boolean) => {
      if (isDone) take(drawn);
      else setLine(drawn);
    },
    [take],
  );
  const onKey = useCallback(
    (event: KeyboardEvent) => {
      if (scene === null) return false;
      const next = rectangleAfter(scene, rectangle, event);
      if (next !== undefined) {
        setRectangle(next);
        setIsOn(true);
      } else if (event.key === 'Enter' && rectangle !== null) take(rectangleOf(rectangle));
      else return false;
      return true;
    },
    [scene, rectangle, take],
  );
  useToggleKeys(isOn, end, () => setIsOn((before) => !before));
  return useMemo(
    () => ({ isOn, line, rectangle, toggle: () => (isOn ? end() : setIsOn(true)), onLine, onKey }),
    [isOn, line, rectangle, end, onLine, onKey],
  );
}

/** L begins to draw, or stops; Escape stops. */
function useToggleKeys(isOn: boolean, end: () => void, toggle: () => void): void {
  useEvents(window, {
    keydown: (event) => {
      if (isForSomethingElse(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape' && isOn) {
        end();
        event.preventDefault();
      } else if (event.key === 'l' || event.key === 'L') toggle();
    },
  });
}
