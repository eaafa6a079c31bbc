import { useEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import type { components } from 'dataset-media-service-sdk';
import { Button, IconButton } from '../design/button';
import { texts } from '../texts';
import { formatClock, formatPercent } from '../texts/format';
import { EditLayer } from './annotating/edit-layer';
import type { EditMode } from './annotating/use-edit-mode';
import { ShapeLayer } from './annotations/shape-layer';
import { sizeOf } from './annotations/shapes';
import type { PictureAnnotations } from './annotations/use-annotations';
import { usePictureLight, type PictureLight } from './large-picture/picture-light';
import { ShownPicture } from './large-picture/shown-picture';
import { hasWord } from './sought-words';
import { useZoom, type Zoom } from './use-zoom';
import styles from './media-dialog.module.css';

type MediaDetail = components['schemas']['MediaDetail'];

const { detail: words } = texts.media;
/** Small pictures are enlarged up to this much. */
const MOST_SCALE = 2;
/** From here on single pixels are of interest. */
const PIXELS_SCALE = 4;

/** The layers drawn on the picture. */
export interface Layers {
  readonly shapes: boolean;
  readonly text: boolean;
  readonly caption: boolean;
}

/** The time at which a video continues; a new object seeks again. */
export interface Seek {
  readonly seconds: number;
}

interface StageProps {
  readonly datasetId: string;
  readonly snapshotId: string | undefined;
  readonly media: MediaDetail;
  readonly annotations: PictureAnnotations;
  /** Null while it is only shown. */
  readonly editMode: EditMode | null;
  readonly layers: Layers;
  readonly seek: Seek | null;
  /** Lines of text with one of these words are marked. */
  readonly words: readonly string[];
}

/** The picture with its annotations; of an object, the picture that it is on; of a video, the player; of a frame, either. */
export function MediaStage({ media, annotations, editMode, layers, seek, words: sought, ...of }: StageProps) {
  const [plays, setPlays] = useState(false);
  const { width, height } = sizeOf(media);
  const style = {
    '--ratio': String(width / Math.max(1, height)),
    '--width': `${width * MOST_SCALE}px`,
  } as CSSProperties;
  if (media.type === 'VIDEO')
    return (
      <Player media={media} style={style} seek={seek} onTime={annotations.onTime}>
        {layers.shapes && <ShapeLayer of={annotations} isVideo />}
      </Player>
    );
  const isFrame = media.media_type === 'video_frame' && media.video_uri !== '';
  const at = media.frame_timestamp ?? 0;
  return (
    <>
      {plays ? (
        <Player media={media} style={style} seek={{ seconds: at }} />
      ) : (
        <Picture {...{ ...of, media, annotations, editMode, style, layers }} words={sought} />
      )}
      {isFrame && (
        <div className={styles.play}>
          <Button icon={plays ? 'image' : 'play'} onPress={() => setPlays(!plays)}>
            {plays ? words.showFrame : words.playFrom(formatClock(at))}
          </Button>
        </div>
      )}
    </>
  );
}

function Player({
  media,
  style,
  seek,
  onTime,
  children,
}: Pick<StageProps, 'media' | 'seek'> & {
  readonly style: CSSProperties;
  readonly onTime?: (seconds: number) => void;
  /** Above the video. */
  readonly children?: ReactNode;
}) {
  const video = useRef<HTMLVideoElement>(null);
  // The address has where it begins, so that not everything before it is loaded.
  const [begin] = useState(seek?.seconds);
  const seconds = seek?.seconds;
  useEffect(() => {
    if (seconds === undefined || video.current === null) return;
    video.current.currentTime = seconds;
    // Browsers may want a click first; then the controls are there.
    video.current.play().catch(() => undefined);
  }, [seek, seconds]);
  const uri = media.video_uri || media.media_uri;
  return (
    <div className={styles.picture} style={style}>
      <video
        ref={video}
        controls
        preload="metadata"
        poster={media.media_thumb_uri}
        src={begin === undefined ? uri : `${uri}#t=${begin}`}
        onTimeUpdate={({ currentTarget }) => onTime?.(currentTarget.currentTime)}
      >
        {media.file_name}
      </video>
      {children}
    </div>
  );
}

function Picture({
  datasetId,
  snapshotId,
  media,
  annotations,
  editMode,
  style,
  layers,
  words: sought,
}: Omit<StageProps, 'seek'> & { readonly style: CSSProperties }) {
  const zoom = useZoom(editMode !== null);
  const light = usePictureLight();
  const onPicture = media.type === 'OBJECT' ? media.parent : null;
  return (
    <>
      <div
        ref={zoom.target}
        className={styles.picture}
        style={{ ...style, ...zoom.style }}
        data-sideways={zoom.isSideways}
        onPointerDown={editMode === null ? zoom.onPointerDown : undefined}
      >
        <ShownPicture
          original={onPicture?.image_uri ?? media.image_uri}
          preview={onPicture?.media_thumb_uri ?? media.media_thumb_uri}
          tiled={onPicture === null ? { ...media, datasetId, snapshotId } : undefined}
          alt={media.caption ?? media.file_name}
          scale={zoom.scale}
          style={{
            ...(zoom.scale > PIXELS_SCALE && { imageRendering: 'pixelated' }),
            ...(light.filter !== undefined && { filter: light.filter }),
          }}
          note={<p className={styles.note}>{words.noPreview}</p>}
        />
        {layers.shapes && <ShapeLayer of={annotations} isEdited={editMode !== null} />}
        {layers.text && media.text_lines.length > 0 && <TextOutlines lines={media.text_lines} sought={sought} />}
        {editMode !== null && <EditLayer mode={editMode} annotations={annotations} zoom={zoom} />}
      </div>
      {layers.caption && media.caption !== null && (
        <p className={styles.overlaid} dir="auto">
          {media.caption}
        </p>
      )}
      <ViewBar {...{ zoom, light }} />
    </>
  );
}

function ViewBar({ zoom, light }: { readonly zoom: Zoom; readonly light: PictureLight }) {
  return (
    <div className={styles.zoom}>
      <IconButton icon="sun" label={words.light(formatPercent(light.brightness))} onPress={light.onBrightness} />
      <IconButton icon="contrast" label={words.contrast(formatPercent(light.contrast))} onPress={light.onContrast} />
      <IconButton icon="again" label={words.rotate} onPress={zoom.rotate} />
      <IconButton icon="minus" label={words.zoomOut} isDisabled={zoom.scale === 1} onPress={zoom.zoomOut} />
      <output aria-label={words.zoom}>{formatPercent(zoom.scale)}</output>
      <IconButton icon="plus" label={words.zoomIn} onPress={zoom.zoomIn} />
    </div>
  );
}

/** The outline of each line of text; its words are shown when the pointer is on it. */
function TextOutlines({
  lines,
  sought,
}: {
  readonly lines: MediaDetail['text_lines'];
  readonly sought: readonly string[];
}) {
  return (
    <svg className={styles.lines} viewBox="0 0 1 1" preserveAspectRatio="none" role="img" aria-label={words.text}>
      {lines.map(({ text, confidence, corners }, at) => (
        <polygon key={at} data-found={hasWord(text, sought)} points={corners.map(({ x, y }) => `${x},${y}`).join(' ')}>
          <title>{`${text} ${formatPercent(confidence)}`}</title>
        </polygon>
      ))}
    </svg>
  );
}
