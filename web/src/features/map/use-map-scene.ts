import { useEffect, useRef, useState } from 'react';
import { useParameters } from '../../design/parameters';
import { isOutage } from '../../api/client';
import { messageOf } from '../../api/failure';
import { textOfView, viewOf, viewText, withViewText } from './map-address';
import { refreshedAfter, type AskedMap } from './map-queries';
import { MapScene, type Look } from './map-scene';
import { onThemeChange, readPalette, type Palette } from './palette';

const ADDRESS_MS = 400;

export interface StagedMap {
  readonly scene: MapScene | null;
  readonly palette: Palette | null;
  /** Why a part could not be loaded; null when all is there. */
  readonly problem: string | null;
}

const sizeOf = ({ clientWidth: width, clientHeight: height }: HTMLElement) => ({ width, height });

/** Tells when the page is on a screen with smaller or larger pixels. */
function onRatioChange(listener: () => void): () => void {
  let screen: MediaQueryList;
  const changed = () => {
    watch();
    listener();
  };
  const watch = () => {
    screen = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    screen.addEventListener('change', changed, { once: true });
  };
  watch();
  return () => screen.removeEventListener('change', changed);
}

/** The scene of a canvas, while it is in the page. */
export function useMapScene(
  datasetId: string,
  canvas: HTMLCanvasElement | null,
  { source }: AskedMap,
  look: Pick<Look, 'hasDimmed' | 'highlighted'>,
  paletteOf: (palette: Palette) => Palette,
): StagedMap {
  const [scene, setScene] = useState<MapScene | null>(null);
  const [palette, setPalette] = useState<Palette | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    const around = canvas?.parentElement;
    if (canvas === null || around === null || around === undefined) return;
    const made = new MapScene(canvas, sizeOf(around), (error) => {
      if (!refreshedAfter(datasetId, error) && !isOutage(error)) setProblem(messageOf(error));
    });
    const resize = () => made.resize(sizeOf(around));
    const observer = new ResizeObserver(resize);
    observer.observe(around);
    const endOfRatios = onRatioChange(resize);
    const endOfLoading = made.subscribe(() => {
      if (!made.read().isLoading) setProblem(null);
    });
    const readColours = () => setPalette(readPalette(around));
    readColours();
    const endOfThemes = onThemeChange(readColours);
    setScene(made);
    return () => {
      observer.disconnect();
      endOfRatios();
      endOfLoading();
      endOfThemes();
      made.dispose();
      setScene(null);
    };
  }, [canvas, datasetId]);

  useEffect(() => scene?.setSource(source), [scene, source]);
  const { hasDimmed, highlighted } = look;
  useEffect(() => {
    if (palette !== null) scene?.setLook({ palette: paletteOf(palette), hasDimmed, highlighted });
  }, [scene, palette, paletteOf, hasDimmed, highlighted]);
  useViewInAddress(scene);
  return { scene, palette, problem };
}

/** The visible part is in the address, so going back and forth moves the map. */
function useViewInAddress(scene: MapScene | null): void {
  const [params, changeParams] = useParameters();
  const text = viewText(params);
  const written = useRef<string | null | undefined>(undefined);
  useEffect(() => {
    if (scene === null || text === written.current) return;
    written.current = text;
    scene.show(viewOf(text, scene.read().size, scene.mostScale));
  }, [scene, text]);
  useEffect(() => {
    if (scene === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = () => {
      timer = undefined;
      const { view, size } = scene.read();
      const next = textOfView(view, size);
      if (next === written.current) return;
      written.current = next;
      changeParams((current) => withViewText(current, next), { replace: true });
    };
    const end = scene.subscribe(() => {
      timer ??= setTimeout(write, ADDRESS_MS);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [scene, changeParams]);
}
