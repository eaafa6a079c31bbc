import { useCallback, useState, type DragEvent, type ReactNode } from 'react';
import { useEvents } from '../../design/events';
import { lazyPart } from '../../design/lazy-part';
import { texts } from '../../texts';
import type { ExploreNavigation } from '../explore-address';
import styles from './filtering.module.css';

const { search: words } = texts.explore;
const PictureDialog = lazyPart(async () => (await import('./picture-dialog')).PictureDialog);

/** Asks which part of a picture to search by, and searches. The first value opens it. */
export function usePictureSearch(
  datasetId: string,
  navigation: ExploreNavigation,
): readonly [(picture: Blob) => void, ReactNode] {
  const [picture, setPicture] = useState<Blob | null>(null);
  const close = useCallback(() => setPicture(null), []);
  useEvents(window, {
    paste: (event) => {
      const pasted = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
      if (pasted === undefined) return;
      event.preventDefault();
      setPicture(pasted);
    },
  });
  return [
    setPicture,
    picture === null ? null : <PictureDialog datasetId={datasetId} picture={picture} {...navigation} onClose={close} />,
  ];
}

/** Takes a picture that is dropped on it. */
export function PictureDrop({
  onPicture,
  children,
}: {
  readonly onPicture: (picture: File) => void;
  readonly children: ReactNode;
}) {
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent) => {
    const picture = event.dataTransfer.files[0];
    if (picture === undefined) return;
    event.preventDefault();
    setIsOver(false);
    onPicture(picture);
  };
  return (
    <div
      className={styles.target}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setIsOver(false);
      }}
      onDrop={drop}
    >
      {children}
      {isOver && <div className={styles.drop}>{words.drop}</div>}
    </div>
  );
}
