import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { Picture } from '../../media/picture';
import { texts } from '../../texts';
import type { MapPoint } from './map-points';
import type { MediaOnMap } from './map-queries';
import type { MapScene } from './map-scene';
import { cssColour } from './palette';
import type { RowMedia } from './row-media';
import { placed, sideOf } from './thumbnail-layout';
import { toScreen, type Point } from './viewport';
import styles from './map-stage.module.css';

/** More would be too many to go through by Tab. */
const MOST_STOPS = 60;
const GAP_PX = 6;
const REST_MS = 60;

/** The points in sight that have room for a picture, matching ones first. */
function usePlacedPictures(scene: MapScene) {
  const { few, view, size } = useSyncExternalStore(scene.subscribe, scene.read);
  const side = sideOf(few?.length ?? 0);
  const pictures = useMemo(() => {
    const places = (few ?? []).map((point) => ({ point, ...toScreen(view, size, point) }));
    const [matching, others] = [true, false].map((is) => places.filter(({ point }) => point.matches === is));
    return placed([...matching!, ...others!], side, GAP_PX);
  }, [few, view, size, side]);
  return { few, side, pictures };
}

/** Where few media are in sight: their pictures, as far as they do not lie over each other. */
export function MapPictures({
  scene,
  media,
  highlighted,
  nameOf,
  onOpen,
}: {
  readonly scene: MapScene;
  readonly media: RowMedia<MediaOnMap>;
  /** The only colour that is looked at. */
  readonly highlighted: number | null;
  /** The meaning of a colour. */
  readonly nameOf: (colour: number) => string | undefined;
  readonly onOpen: (row: number) => void;
}) {
  useSyncExternalStore(media.subscribe, media.state);
  const { few, side, pictures } = usePlacedPictures(scene);
  // While the map moves, each frame has others.
  useEffect(() => {
    const timer = setTimeout(() => media.want(pictures.map(({ point: { row } }) => row)), REST_MS);
    return () => clearTimeout(timer);
  }, [pictures, media]);
  return pictures.map(({ point: { row, colour, matches }, x, y }) => {
    const medium = media.at(row);
    if (medium === undefined) return null;
    return (
      <button
        key={row}
        type="button"
        className={styles.picture}
        tabIndex={(few?.length ?? 0) > MOST_STOPS ? -1 : 0}
        data-matches={matches && (highlighted === null || highlighted === colour)}
        aria-label={texts.map.open(medium.file_name)}
        title={[medium.file_name, nameOf(colour)].filter(Boolean).join(', ')}
        style={{
          width: side,
          height: side,
          transform: `translate(${x - side / 2}px, ${y - side / 2}px)`,
          borderColor: cssColour(colour),
        }}
        onClick={() => onOpen(row)}
      >
        <Picture src={medium.media_thumb_uri} alt="" draggable={false} />
      </button>
    );
  });
}

/** The medium under the pointer, or the one that Enter opens. */
export function PointCard({
  scene,
  media,
  point,
  nameOf,
}: {
  readonly scene: MapScene;
  readonly media: RowMedia<MediaOnMap>;
  readonly point: MapPoint;
  readonly nameOf: (colour: number) => string | undefined;
}) {
  const { view, size } = useSyncExternalStore(scene.subscribe, scene.read);
  useSyncExternalStore(media.subscribe, media.state);
  const { row, colour } = point;
  useEffect(() => {
    const timer = setTimeout(() => media.want([row]), REST_MS);
    return () => clearTimeout(timer);
  }, [row, media]);
  const at: Point = toScreen(view, size, point);
  const medium = media.at(row);
  const name = nameOf(colour);
  return (
    <>
      <span
        className={styles.ring}
        style={{ transform: `translate(${at.x}px, ${at.y}px)`, color: cssColour(colour) }}
      />
      <div
        className={styles.card}
        data-left={at.x > size.width / 2}
        data-above={at.y > size.height / 2}
        style={{ transform: `translate(${at.x}px, ${at.y}px)` }}
      >
        <div>
          <div className={styles.cardPicture}>
            {medium !== undefined && <img src={medium.media_thumb_uri} alt="" />}
          </div>
          <p dir="auto">{medium?.file_name ?? ' '}</p>
          {name !== undefined && (
            <p className={styles.value} dir="auto">
              <span style={{ background: cssColour(colour) }} />
              {name}
            </p>
          )}
        </div>
      </div>
    </>
  );
}
