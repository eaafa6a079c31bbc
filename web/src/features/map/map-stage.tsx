import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { MediaOverlay } from '../../media/media-overlay';
import { useOpenMedia } from '../../media/open-media';
import { SkipLink } from '../../design/skip-link';
import { toast } from '../../design/toast';
import { messageOf } from '../../api/failure';
import { texts } from '../../texts';
import { useNavigate } from 'react-router';
import { areaIn, withArea } from './area';
import { AreaLayer } from './area-layer';
import { filteredBy, legendEntries } from './legend-entries';
import { MapControls } from './map-controls';
import { MapLegend, type Highlight } from './map-legend';
import { MapPictures, PointCard } from './map-pictures';
import { readRows, refreshedAfter, type AskedMap, type MediaOnMap } from './map-queries';
import type { MapScene } from './map-scene';
import type { MapNavigation } from './map-state';
import { paletteIndex, withAccent, type Palette } from './palette';
import { RowMedia } from './row-media';
import { useAreaTool, type AreaTool } from './use-area-tool';
import { useMapScene } from './use-map-scene';
import { usePointing, type Pointing } from './use-pointing';
import type { Point } from './viewport';
import styles from './map-stage.module.css';

const { map: words } = texts;
const NO_HIGHLIGHT: Highlight = { kept: null, passing: null };

const asItIs = (palette: Palette): Palette => palette;

interface MapStageProps {
  readonly datasetId: string;
  readonly asked: AskedMap;
  readonly navigation: MapNavigation;
}

/** The map itself: points, pictures, the legend and the tools. */
export function MapStage({ datasetId, asked, navigation: { state, change } }: MapStageProps) {
  const { map, evaluation } = asked;
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const [surface, setSurface] = useState<HTMLElement | null>(null);
  const [highlight, setHighlight] = useState(NO_HIGHLIGHT);
  const entries = useMemo(() => legendEntries(map, evaluation), [map, evaluation]);
  const highlighted = highlight.passing ?? highlight.kept;
  useEffect(() => setHighlight(NO_HIGHLIGHT), [map.color_by, map.entity_type]);

  const { scene, problem } = useStagedMap(datasetId, canvas, asked, highlighted);
  const media = useRowMedia(datasetId, map.map_version);
  const [sequence, openRow] = useOpenRow(scene, media, datasetId, map.map_version);
  const onArea = useCallback(
    (corners: readonly Point[]) => change({ filters: (current) => withArea(current, corners) }),
    [change],
  );
  const tool = useAreaTool(scene, onArea);
  const { current, byKeys, ...pointing } = usePointing({ surface, canvas, scene, tool, openRow });
  const nameOf = (colour: number) => entries.find((entry) => entry.colour === colour)?.name;
  const navigate = useNavigate();
  return (
    <div className={styles.stage}>
      <Surface {...{ canvas, setCanvas, setSurface, byKeys, isDrawing: tool.isOn }} {...pointing}>
        {scene !== null && (
          <OnMap
            {...{ scene, media, tool, highlighted, nameOf, openRow, current, byKeys }}
            areas={areasIn(state.filters)}
          />
        )}
      </Surface>
      <Notes {...{ map, scene, tool, problem }} />
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
        {...(evaluation !== undefined && { evaluation: { evaluation } })}
        onFindSimilar={(mediaId, type) => void navigate(`../explore?type=${type}&anchor=MEDIA%3A${mediaId}`)}
      />
    </div>
  );
}

/** Pictures, areas and the card of the current point. */
function OnMap({
  scene,
  media,
  tool,
  highlighted,
  nameOf,
  openRow,
  current,
  byKeys,
  areas,
}: Pick<Pointing, 'current' | 'byKeys'> & {
  readonly scene: MapScene;
  readonly media: RowMedia<MediaOnMap>;
  readonly tool: AreaTool;
  readonly highlighted: Highlight['kept'];
  readonly nameOf: (colour: number) => string | undefined;
  readonly openRow: (row: number) => void;
  readonly areas: readonly (readonly Point[])[];
}) {
  return (
    <>
      {!tool.isOn && (
        <MapPictures scene={scene} media={media} highlighted={highlighted} nameOf={nameOf} onOpen={openRow} />
      )}
      <AreaLayer scene={scene} tool={tool} areas={areas} />
      <div role="status" aria-live={byKeys ? 'polite' : 'off'}>
        {current !== undefined && <PointCard scene={scene} media={media} point={current} nameOf={nameOf} />}
      </div>
    </>
  );
}

/** Where the map is drawn, and what lies on it; reached by keys as a whole. */
function Surface({
  canvas,
  setCanvas,
  setSurface,
  byKeys,
  setByKeys,
  isHovering,
  isDrawing,
  onKeyDown,
  children,
}: Pick<Pointing, 'byKeys' | 'setByKeys' | 'isHovering' | 'onKeyDown'> & {
  readonly canvas: HTMLCanvasElement | null;
  readonly setCanvas: (canvas: HTMLCanvasElement | null) => void;
  readonly setSurface: (surface: HTMLElement | null) => void;
  readonly isDrawing: boolean;
  readonly children: ReactNode;
}) {
  return (
    <>
      <div
        ref={setSurface}
        className={styles.surface}
        data-draws={isDrawing}
        data-points={isHovering}
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
        {children}
        {byKeys && <span className={styles.cross} />}
      </div>
      <p id="map-keys" className="visually-hidden">
        {words.keys}
      </p>
    </>
  );
}

function Notes({
  map,
  scene,
  tool,
  problem,
}: Pick<AskedMap, 'map'> & {
  readonly scene: MapScene | null;
  readonly tool: AreaTool;
  readonly problem: string | null;
}) {
  return (
    <div className={styles.notes} role="status">
      {tool.isOn && <p>{tool.rectangle === null ? words.drawing : words.rectangle}</p>}
      {scene?.isSample === true && <p>{words.sample}</p>}
      {map.placed_media < map.total_media && <p>{words.unplaced(map.total_media - map.placed_media)}</p>}
      {problem !== null && <p>{words.failed(problem)}</p>}
    </div>
  );
}

/** The scene of a map, with the points of one colour in front of the others where one is highlighted. */
function useStagedMap(
  datasetId: string,
  canvas: HTMLCanvasElement | null,
  asked: AskedMap,
  highlighted: Highlight['kept'],
) {
  const { map } = asked;
  const look = {
    hasDimmed: map.matching_media < map.total_media || highlighted !== null,
    highlighted: highlighted === null ? null : paletteIndex(highlighted),
  };
  return useMapScene(datasetId, canvas, asked, look, map.color_by === 'none' ? withAccent : asItIs);
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
