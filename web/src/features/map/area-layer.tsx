import { useSyncExternalStore } from 'react';
import { rectangleOf } from './area';
import type { MapScene } from './map-scene';
import type { AreaTool } from './use-area-tool';
import { toScreen, type Point } from './viewport';
import styles from './map-stage.module.css';

/** The areas that are chosen, and the one that is drawn. */
export function AreaLayer({
  scene,
  tool: { line, rectangle },
  areas,
}: {
  readonly scene: MapScene;
  readonly tool: AreaTool;
  readonly areas: readonly (readonly Point[])[];
}) {
  const { view, size } = useSyncExternalStore(scene.subscribe, scene.read);
  const drawn = [...(line.length > 1 ? [line] : []), ...(rectangle === null ? [] : [rectangleOf(rectangle)])];
  const pathOf = (corners: readonly Point[]): string =>
    corners
      .map((corner) => toScreen(view, size, corner))
      .map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`)
      .join(' ');
  return (
    <svg className={styles.areas} aria-hidden="true">
      {areas.map((corners, at) => (
        <polygon key={at} className={styles.area} points={pathOf(corners)} />
      ))}
      {drawn.map((corners, at) => (
        <polygon key={at} className={styles.drawn} points={pathOf(corners)} />
      ))}
    </svg>
  );
}
