import { useState, type DragEvent, type ReactNode } from 'react';
import { service } from '../../api/client';
import { messageOf } from '../../api/failure';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import type { ExploreNavigation } from './explore-state';
import styles from './explore.module.css';

/** Pictures that this page uploaded, to show what was searched by. */
const pictures = new Map<string, string>();

export const pictureOf = (anchorId: string): string | undefined => pictures.get(anchorId);

/** Uploads a picture, and searches by it. */
export async function searchByPicture(
  datasetId: string,
  picture: File,
  { state, change }: ExploreNavigation,
): Promise<void> {
  try {
    const entity = state.entity === 'VIDEOS' ? 'IMAGES' : state.entity;
    const found = await service
      .dataset(datasetId)
      .uploadQueryImage(picture, { entity_type: entity, threshold: state.level });
    pictures.set(found.anchor_media_id, URL.createObjectURL(picture));
    change({ anchor: { type: 'UPLOAD', id: found.anchor_media_id }, entity, caption: '' });
  } catch (error) {
    toast({ text: texts.explore.search.failed(messageOf(error)), isFailure: true });
  }
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
      className={styles.results}
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
      {isOver && <div className={styles.drop}>{texts.explore.search.drop}</div>}
    </div>
  );
}
