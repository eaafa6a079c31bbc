import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { MediaOverlay, useOpenMedia } from '../../media/media-overlay';
import { SkipLink } from '../../design/skip-link';
import { toast } from '../../design/toast';
import { messageOf } from '../../api/failure';
import { texts } from '../../texts';
import { useNavigate } from 'react-router';
import { areaIn, withArea } from './area';
import { AreaLayer } from './area-layer';
import { filteredBy, legendEntries } from './legend-entries';
import { MapControls } from './map-controls';
import { moveByKey } from './map-keys';
import { MapLegend, type Highlight } from './map-legend';
import { MapPictures, PointCard } from './map-pictures';
import type { MapPoint } from './map-points';
import { readRows, refreshedAfter, type AskedMap, type MediaOnMap } from './map-queries';
import type { MapScene } from './map-scene';
import type { MapNavigation } from './map-state';
import { paletteIndex, withAccent, type Palette } from './palette';
import { RowMedia } from './row-media';
import { useAreaTool } from './use-area-tool';
import { useMapGestures } from './use-map-gestures';
import { useMapScene } from './use-map-scene';
import type { Point } from './viewport';
import styles from './map-stage.module.css';

const { map: words } = texts;
const REACH_PX = 12;
/** A finger is wider than a pointer. */
const CLICK_REACH_PX = 20;
const MIDDLE_REACH_PX = 60;
const NO_HIGHLIGHT: Highlight = { kept: null, passing: null };

const asItIs = (palette: Palette): Palette => palette;

/** The map itself: points, pictures, the legend and the tools. */
export function MapStage({
  datasetId,
  asked,
  navigation: { state, change },
}: {
  readonly datasetId: string;
  readonly asked: AskedMap;
  readonly navigation: MapNavigation;
}) {
  const { map } = asked;
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const [surface, setSurface] = useState<HTMLElement | null>(null);
  const [highlight, setHighlight] = useState(NO_HIGHLIGHT);
  const [hovered, setHovered] = useState<MapPoint>();
  const [byKeys, setByKeys] = useState(false);
  const entries = useMemo(() => legendEntries(map), [map]);
  const highlighted = highlight.passing ?? highlight.kept;
  useEffect(() => setHighlight(NO_HIGHLIGHT), [map.color_by, map.entity_type]);

  const { scene, problem } = useMapScene(
    datasetId,
    canvas,
    asked,
    {
      hasDimmed: map.matching_media < map.total_media || highlighted !== null,
      highlighted: highlighted === null ? null : paletteIndex(highlighted),
    },
    map.color_by === 'none' ? withAccent : asItIs,
  );
  const media = useRowMedia(datasetId, map.map_version);
  const [sequence, openRow] = useOpenRow(scene, media, datasetId, map.map_version);
  const onArea = useCallback(
    (corners: readonly Point[]) => change({ filters: (current) => withArea(current, corners) }),
    [change],
  );
  const tool = useAreaTool(scene, onArea);
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
  const current = byKeys ? middle : hovered;
  const onKeyDown = (event: React.KeyboardEvent) => {
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
  const nameOf = (colour: number) => entries.find((entry) => entry.colour === colour)?.name;
  const navigate = useNavigate();
  return (
    <div className={styles.stage}>
      <div
        ref={setSurface}
        className={styles.surface}
        data-draws={tool.isOn}
        data-points={hovered !== undefined}
        onKeyDown={onKeyDown}
      >
        <SkipLink label={words.skip} to="map" onSkip={() => canvas?.focus()} />
        <canvas
          ref={setCanvas}
          id="map"
          className={styles.canvas}
          tabIndex={0}
          role="application"
          aria-label={words.canvas}
          aria-describedby="map-keys"
          onFocus={({ target }) => setByKeys(target.matches(':focus-visible'))}
          onBlur={() => setByKeys(false)}
        />
        {scene !== null && (
          <>
            {!tool.isOn && (
              <MapPictures scene={scene} media={media} highlighted={highlighted} nameOf={nameOf} onOpen={openRow} />
            )}
            <AreaLayer scene={scene} tool={tool} areas={areasIn(state.filters)} />
            <div role="status" aria-live={byKeys ? 'polite' : 'off'}>
              {current !== undefined && <PointCard scene={scene} media={media} point={current} nameOf={nameOf} />}
            </div>
          </>
        )}
        {byKeys && <span className={styles.cross} />}
      </div>
      <p id="map-keys" className="visually-hidden">
        {words.keys}
      </p>
      <div className={styles.notes} role="status">
        {tool.isOn && <p>{tool.rectangle === null ? words.drawing : words.rectangle}</p>}
        {scene?.isSample === true && <p>{words.sample}</p>}
        {map.placed_media < map.total_media && <p>{words.unplaced(map.total_media - map.placed_media)}</p>}
        {problem !== null && <p>{words.failed(problem)}</p>}
      </div>
      {scene !== null && <MapControls scene={scene} tool={tool} />}
      <MapLegend
        colouring={map.color_by}
        entries={entries}
        filters={state.filters}
        highlight={highlight}
        onFilter={(filter) => change({ filters: (current) => filteredBy(current, filter) })}
        onHighlight={setHighlight}
      />
      <MediaOverlay
        datasetId={datasetId}
        sequence={sequence}
        onFindSimilar={(mediaId, type) => void navigate(`../explore?type=${type}&anchor=MEDIA%3A${mediaId}`)}
      />
    </div>
  );
}

const areasIn = (filters: MapNavigation['state']['filters']) =>
  filters.map(areaIn).filter((corners) => corners !== undefined);

function useRowMedia(datasetId: string, mapVersion: string): RowMedia<MediaOnMap> {
  return useMemo(
    // What could not be read is asked for again when it comes into sight the next time.
    () =>
      new RowMedia(
        (rows) => readRows(datasetId, mapVersion, rows),
        (error) => refreshedAfter(datasetId, error),
      ),
    [datasetId, mapVersion],
  );
}

/** Opens the details of a medium; the arrow keys then go through those whose pictures are in sight. */
function useOpenRow(
  scene: MapScene | null,
  media: RowMedia<MediaOnMap>,
  datasetId: string,
  mapVersion: string,
): readonly [readonly string[], (row: number) => void] {
  const [sequence, setSequence] = useState<readonly string[]>([]);
  const openMedia = useOpenMedia();
  const open = async (row: number) => {
    try {
      const medium = media.at(row) ?? (await readRows(datasetId, mapVersion, [row]))[0];
      if (medium === undefined) return;
      const inSight = (scene?.read().few ?? []).map((point) => media.at(point.row)?.media_id);
      setSequence(inSight.filter((id) => id !== undefined));
      openMedia(medium.media_id);
    } catch (error) {
      if (!refreshedAfter(datasetId, error)) toast({ text: messageOf(error), isFailure: true });
    }
  };
  return [sequence, (row) => void open(row)];
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
