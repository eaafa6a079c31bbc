import { canvasDrawing } from './canvas-drawing';
import type { Drawing, Frame } from './drawing';
import { nearestPoint, pointsInSight, type MapPoint } from './map-points';
import { MOST_PICTURED } from './thumbnail-layout';
import type { MapTile } from './tile-format';
import { TileSet, type MapSource } from './tile-set';
import { TILE_PX } from './tile-tree';
import { clamped, fitted, pointSize, type Point, type Size, type View } from './viewport';
import { webGlDrawing } from './webgl-drawing';

export type Look = Pick<Frame, 'palette' | 'hasDimmed' | 'highlighted'>;

/** The contents of the last frame. */
export interface Shown {
  readonly view: View;
  readonly size: Size;
  readonly isLoading: boolean;
  /** All media in sight, where they are few. */
  readonly few: readonly MapPoint[] | undefined;
}

/** Until the service has said it. */
const DEEPEST = 14;
const GLIDE_MS = 180;

const eased = (part: number): number => 1 - (1 - part) ** 3;

function between(from: View, to: View, part: number): View {
  const mix = (one: number, other: number): number => one + (other - one) * part;
  return {
    x: mix(from.x, to.x),
    y: mix(from.y, to.y),
    scale: Math.exp(mix(Math.log(from.scale), Math.log(to.scale))),
  };
}

/** The contents of the canvas, drawn after changes, at most once a frame. */
export class MapScene {
  readonly isSample: boolean;
  private readonly drawing: Drawing;
  private readonly listeners = new Set<() => void>();
  private tiles: TileSet | undefined;
  /** Drawn until the tiles of another map have come. */
  private previous: TileSet | undefined;
  private drawn: readonly MapTile[] = [];
  private look: Look | undefined;
  private view: View;
  private goal: View | undefined;
  private frame = 0;
  private shown: Shown;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private size: Size,
    private readonly onFailure: (error: unknown) => void,
  ) {
    const drawing = webGlDrawing(canvas, () => this.invalidate()) ?? canvasDrawing(canvas);
    this.drawing = drawing;
    this.isSample = drawing.isSample;
    this.view = fitted(size);
    this.shown = { view: this.view, size, isLoading: true, few: undefined };
    this.resize(size);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly read = (): Shown => this.shown;

  get mostScale(): number {
    return TILE_PX * 2 ** (this.tiles?.source.deepest ?? DEEPEST);
  }

  /** Where it is, also before that is drawn. */
  get current(): View {
    return this.view;
  }

  /** Where it is, or is going to. */
  get target(): View {
    return this.goal ?? this.view;
  }

  setSource(source: MapSource): void {
    if (this.tiles?.source.key === source.key) return;
    if (this.tiles !== undefined) {
      this.previous?.dispose();
      this.previous = this.tiles;
      this.previous.stop();
      if (this.previous.source.version !== source.version) this.shown = { ...this.shown, few: undefined };
    }
    this.tiles = new TileSet(source, {
      onChange: () => this.invalidate(),
      onEvict: (tile) => this.drawing.forget(tile),
      onFailure: this.onFailure,
    });
    this.invalidate();
  }

  setLook(look: Look): void {
    this.look = look;
    this.invalidate();
  }

  resize(size: Size): void {
    const whole = fitted(this.size);
    const isWhole = this.view.scale === whole.scale && this.view.x === whole.x && this.view.y === whole.y;
    this.size = size;
    const ratio = window.devicePixelRatio;
    this.canvas.width = Math.round(size.width * ratio);
    this.canvas.height = Math.round(size.height * ratio);
    this.show(isWhole ? fitted(size) : this.view);
    // Resizing empties the canvas, so it is drawn again at once.
    this.draw();
  }

  show(view: View): void {
    this.goal = undefined;
    this.view = clamped(view, this.size, this.mostScale);
    this.invalidate();
  }

  /** Moves there by an animation, so that people see where that is. */
  glide(view: View): void {
    const to = clamped(view, this.size, this.mostScale);
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.show(to);
      return;
    }
    const from = this.view;
    const begin = performance.now();
    this.goal = to;
    const step = (now: number): void => {
      if (this.goal !== to) return;
      const part = Math.max(0, Math.min(1, (now - begin) / GLIDE_MS));
      if (part === 1) {
        this.show(to);
        return;
      }
      this.view = between(from, to, eased(part));
      this.invalidate();
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  pick(at: Point, reachPx: number): MapPoint | undefined {
    return nearestPoint(this.drawn, this.view, this.size, at, reachPx);
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.goal = undefined;
    this.previous?.dispose();
    this.tiles?.dispose();
    this.drawing.dispose();
  }

  private invalidate(): void {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  private draw(): void {
    const { look, view, size, tiles } = this;
    if (look === undefined || tiles === undefined) return;
    const plan = tiles.plan(view, size);
    const isLoading = plan.want.length > 0;
    if (!isLoading) {
      this.previous?.dispose();
      this.previous = undefined;
    }
    this.drawn = this.previous?.plan(view, size).draw ?? plan.draw;
    this.drawing.draw(this.drawn, {
      ...look,
      view,
      size,
      ratio: this.canvas.width / Math.max(1, size.width),
      pointPx: pointSize(view, tiles.source.placed),
    });
    const few = isLoading ? this.shown.few : pointsInSight(plan.draw, view, size, MOST_PICTURED);
    this.shown = { view, size, isLoading, few };
    for (const listener of this.listeners) listener();
  }
}
