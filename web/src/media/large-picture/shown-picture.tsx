import { useState, type CSSProperties, type ReactNode } from 'react';
import { isLarge, PictureTiles, wholeAddress, type LargePicture } from './picture-tiles';

/** The original; tiles of it if it is large or the browser cannot read it; the preview if neither can be shown. */
export function ShownPicture({
  original,
  preview,
  tiled,
  alt,
  scale,
  style,
  note,
}: {
  readonly original: string;
  readonly preview: string;
  /** Undefined if it has no tiles. */
  readonly tiled: LargePicture | undefined;
  readonly alt: string;
  readonly scale: number;
  readonly style: CSSProperties;
  /** That it is the preview only. */
  readonly note: ReactNode;
}) {
  const [failures, setFailures] = useState(0);
  const forms = [
    ...(tiled !== undefined && isLarge(tiled) ? [] : [{ kind: 'original', source: original }]),
    ...(tiled === undefined ? [] : [{ kind: 'tiles', source: wholeAddress(tiled) }]),
    { kind: 'preview', source: preview },
  ];
  const at = Math.min(failures, forms.length - 1);
  const { kind, source } = forms[at]!;
  return (
    <>
      <img src={source} alt={alt} draggable={false} style={style} onError={() => setFailures(at + 1)} />
      {kind === 'tiles' && tiled !== undefined && <PictureTiles {...{ picture: tiled, scale, style }} />}
      {kind === 'preview' && note}
    </>
  );
}
