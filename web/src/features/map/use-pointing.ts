import { useMemo, useState, useSyncExternalStore, type KeyboardEvent } from 'react';
import { moveByKey } from './map-keys';
import type { MapPoint } from './map-points';
import type { MapScene } from './map-scene';
import type { AreaTool } from './use-area-tool';
import { useMapGestures } from './use-map-gestures';

const REACH_PX = 12;
/** A finger is wider than a pointer. */
const CLICK_REACH_PX = 20;
const MIDDLE_REACH_PX = 60;

export interface Pointing {
  /** The point below the pointer, or nearest to the middle while keys move the map. */
  readonly current: MapPoint | undefined;
  readonly isHovering: boolean;
  readonly byKeys: boolean;
  readonly setByKeys: (byKeys: boolean) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Moves the map, and tells and opens the points on it, by the pointer or by keys. */
export function usePointing({
  surface,
  canvas,
  scene,
  tool,
  openRow,
}: {
  readonly surface: HTMLElement | null;
  readonly canvas: HTMLCanvasElement | null;
  readonly scene: MapScene | null;
  readonly tool: AreaTool;
  readonly openRow: (row: number) => void;
}): Pointing {
  const [hovered, setHovered] = useState<MapPoint>();
  const [byKeys, setByKeys] = useState(false);
  useMapGestures(surface, scene, {
    isDrawing: tool.isOn,
    onLine: tool.onLine,
    onClick: (at) => {
      const point = scene?.pick(at, CLICK_REACH_PX);
      if (point !== undefined && !tool.isOn) openRow(point.row);
    },
    onHover: (at) => {
      setByKeys(false);
      setHovered(at === null || tool.isOn ? undefined : scene?.pick(at, REACH_PX));
    },
  });
  const middle = useMiddle(scene, byKeys && !tool.isOn);
  const onKeyDown = (event: KeyboardEvent) => {
    if (scene === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const isForMap = event.target === canvas || event.key !== 'Enter';
    if (!isForMap) return;
    setByKeys(event.target === canvas);
    setHovered(undefined);
    if (tool.onKey(event.nativeEvent) || moveByKey(scene, event.key)) {
      event.preventDefault();
      // A picture that has the focus may go out of sight.
      canvas?.focus();
    } else if (event.key === 'Enter' && middle !== undefined) openRow(middle.row);
  };
  return { current: byKeys ? middle : hovered, isHovering: hovered !== undefined, byKeys, setByKeys, onKeyDown };
}

const nothing = (): (() => void) => () => undefined;

/** The medium nearest to the middle, for the keyboard. */
function useMiddle(scene: MapScene | null, isWanted: boolean): MapPoint | undefined {
  const shown = useSyncExternalStore(scene?.subscribe ?? nothing, () => (isWanted ? scene?.read() : undefined));
  return useMemo(() => {
    if (shown === undefined) return undefined;
    return scene?.pick({ x: shown.size.width / 2, y: shown.size.height / 2 }, MIDDLE_REACH_PX);
  }, [scene, shown]);
}
