import type { MapScene, Shown } from './map-scene';
import { boxOf, fitted, panned, zoomedAt, type Box } from './viewport';

const PAN_PX = 80;
const STEP = 1.5;
/** Of what is in sight. */
const FIRST_RECTANGLE = 0.2;
const RECTANGLE_STEP = 0.04;

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function zoomBy(scene: MapScene, factor: number): void {
  const { size } = scene.read();
  const { target } = scene;
  const middle = { x: size.width / 2, y: size.height / 2 };
  scene.glide(zoomedAt(target, size, middle, target.scale * factor, scene.mostScale));
}

export const zoomIn = (scene: MapScene): void => zoomBy(scene, STEP);
export const zoomOut = (scene: MapScene): void => zoomBy(scene, 1 / STEP);
export const showAll = (scene: MapScene): void => scene.glide(fitted(scene.read().size));

/** Moves the map; whether the key was for that. */
export function moveByKey(scene: MapScene, key: string): boolean {
  const arrow = ARROWS[key];
  if (key === '+' || key === '=') zoomIn(scene);
  else if (key === '-') zoomOut(scene);
  else if (key === '0') showAll(scene);
  else if (arrow !== undefined) scene.glide(panned(scene.target, -arrow[0] * PAN_PX, -arrow[1] * PAN_PX));
  else return false;
  return true;
}

/** A rectangle after an arrow key: moved, or resized with Shift, which also begins one. Undefined if the key is not for it. */
export function rectangleAfter(
  scene: { readonly read: () => Pick<Shown, 'view' | 'size'> },
  rectangle: Box | null,
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
): Box | undefined {
  const arrow = ARROWS[key];
  if (arrow === undefined || (rectangle === null && !shiftKey)) return undefined;
  const { view, size } = scene.read();
  const sight = boxOf(view, size);
  const [width, height] = [sight.right - sight.left, sight.bottom - sight.top];
  if (rectangle === null) {
    const half = (FIRST_RECTANGLE / 2) * Math.min(width, height);
    return { left: view.x - half, top: view.y - half, right: view.x + half, bottom: view.y + half };
  }
  const { left, top, right, bottom } = rectangle;
  const step = RECTANGLE_STEP * Math.min(width, height);
  const [across, down] = [arrow[0] * step, arrow[1] * step];
  if (!shiftKey) return { left: left + across, top: top + down, right: right + across, bottom: bottom + down };
  return { left, top, right: Math.max(left + step, right + across), bottom: Math.max(top + step, bottom + down) };
}
