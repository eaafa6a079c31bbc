import { useEffect, useRef, useState, type CSSProperties } from 'react';
import { levelFor, tilesOf, wholeLevel, type Tile } from './tile-grid';
import styles from './large-picture.module.css';

/** Larger pictures are shown by tiles. */
const MOST_PIXELS = 24_000_000;

export interface LargePicture {
  readonly datasetId: string;
  readonly media_id: string;
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
  readonly snapshotId: string | undefined;
}

export const isLarge = ({ width, height }: Pick<LargePicture, 'width' | 'height'>): boolean =>
  width * height > MOST_PIXELS;

type Place = Pick<Tile, 'level' | 'column' | 'row'>;

function addressOf(
  { datasetId, media_id: id, sha256, snapshotId }: LargePicture,
  { level, column, row }: Place,
): string {
  const query = new URLSearchParams({ sha256, ...(snapshotId !== undefined && { snapshot_id: snapshotId }) });
  return `/api/v1/dataset/${datasetId}/media/${id}/tiles/${level}/${column}/${row}?${query.toString()}`;
}

/** The whole picture in one tile. */
export const wholeAddress = (picture: LargePicture): string =>
  addressOf(picture, { level: wholeLevel(picture), column: 0, row: 0 });

/** What is in view, in as many pixels as are shown, above the picture in one tile. */
export function PictureTiles({
  picture,
  scale,
  style,
}: {
  readonly picture: LargePicture;
  readonly scale: number;
  /** Of the picture. */
  readonly style: CSSProperties;
}) {
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const shown = (element?.offsetWidth ?? 0) * scale * window.devicePixelRatio;
  const whole = wholeLevel(picture);
  const level = element === null ? whole : levelFor(picture, shown);
  // Coarser tiles stay below until finer ones are there.
  const [visited, setVisited] = useState<readonly number[]>([]);
  if (level < whole && !visited.includes(level)) setVisited([...visited, level].sort((a, b) => b - a));
  return (
    <div ref={setElement} className={styles.tiles} style={style} aria-hidden="true">
      {visited
        .filter((each) => each >= level)
        .flatMap((each) =>
          tilesOf(picture, each).map((tile) => (
            <PictureTile
              key={`${tile.level}/${tile.column}/${tile.row}`}
              tile={tile}
              isWanted={each === level}
              address={addressOf(picture, tile)}
            />
          )),
        )}
    </div>
  );
}

/** Loaded once it comes into view. */
function PictureTile({
  tile: { left, top, width, height },
  isWanted,
  address,
}: {
  readonly tile: Tile;
  readonly isWanted: boolean;
  readonly address: string;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    if (!isWanted || isSeen || place.current === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isWanted, isSeen]);
  const percent = (fraction: number): string => `${100 * fraction}%`;
  return (
    <div
      ref={place}
      className={styles.tile}
      style={{ left: percent(left), top: percent(top), width: percent(width), height: percent(height) }}
    >
      {isSeen && <img src={address} alt="" draggable={false} />}
    </div>
  );
}
