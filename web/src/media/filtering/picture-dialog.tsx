import { useEffect, useRef, useState, type RefObject } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { components } from 'dataset-media-service-sdk';
import { service } from '../../api/client';
import { useDataset } from '../../api/datasets';
import { messageOf } from '../../api/failure';
import { Button } from '../../design/button';
import { Dialog, DialogActions } from '../../design/dialog';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { PartialNotice } from '../adding/growth-menu';
import { pictured, type ExploreNavigation } from '../explore-address';
import { rememberPicture } from '../searched-pictures';
import { withMeaning } from '../simple-filters';
import type { Region } from './region';
import { RegionPicker } from './region-picker';
import styles from './region-picker.module.css';

type SearchAnchor = components['schemas']['SearchAnchor'];

const { search: words, part: partWords } = texts.explore;
const CHIP_PX = 48;

/** A small copy of the part, for the chip. */
async function cutOut(image: HTMLImageElement, { x, y, width, height }: Region): Promise<Blob | null> {
  const [across, down] = [image.naturalWidth, image.naturalHeight];
  const scale = CHIP_PX / Math.min(width * across, height * down);
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width * across * scale, height * down * scale];
  const from = [x * across, y * down, width * across, height * down] as const;
  canvas.getContext('2d')?.drawImage(image, ...from, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve));
}

async function upload(datasetId: string, picture: Blob, query: Readonly<Record<string, string>>): Promise<string> {
  const body = new FormData();
  body.set('file', picture, 'query');
  const path = `/api/v1/dataset/${datasetId}/search-image-similarity?${new URLSearchParams(query).toString()}`;
  const response = await service.connection.request(path, { method: 'POST', body });
  return ((await response.json()) as SearchAnchor).anchor_media_id;
}

interface PictureDialogProps extends ExploreNavigation {
  readonly datasetId: string;
  readonly picture: Blob;
  readonly onClose: () => void;
}

function useObjectUrl(picture: Blob): string {
  const [src, setSrc] = useState('');
  useEffect(() => {
    const made = URL.createObjectURL(picture);
    setSrc(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  return src;
}

/** Searches by a part of the picture, or by all of it. */
const useSearch = (
  { datasetId, picture, state, change, onClose }: PictureDialogProps,
  image: RefObject<HTMLImageElement | null>,
) =>
  useMutation({
    mutationFn: async (part: Region | null) => {
      const entity = pictured(state.entity);
      const id = await upload(datasetId, picture, {
        entity_type: entity,
        threshold: String(state.level),
        ...(part === null ? {} : { bounding_box: JSON.stringify(part) }),
      });
      const shown = part === null ? picture : await cutOut(image.current!, part);
      if (shown !== null) rememberPicture(id, { src: URL.createObjectURL(shown), isPart: part !== null });
      return { id, entity };
    },
    onSuccess: ({ id, entity }) => {
      onClose();
      change({ anchor: { type: 'UPLOAD', id }, entity, caption: '', filters: (current) => withMeaning(current, null) });
    },
    onError: (error) => toast({ text: words.failed(messageOf(error)), isFailure: true }),
  });

/** Searches by a picture or a part of it. */
export function PictureDialog(props: PictureDialogProps) {
  const [region, setRegion] = useState<Region | null>(null);
  const [isUnreadable, setIsUnreadable] = useState(false);
  const image = useRef<HTMLImageElement>(null);
  const src = useObjectUrl(props.picture);
  const search = useSearch(props, image);
  const { status_new: status } = useDataset();
  const waits = status !== 'READY';
  return (
    <Dialog title={words.picture} onClose={props.onClose}>
      {isUnreadable && <p className={styles.unreadable}>{partWords.unreadable}</p>}
      {!isUnreadable && src !== '' && (
        <RegionPicker
          src={src}
          picture={image}
          region={region}
          onChange={setRegion}
          onUnreadable={() => setIsUnreadable(true)}
        />
      )}
      {status === 'PARTIAL INDEX' ? (
        <PartialNotice text={partWords.waitsForReindex} />
      ) : (
        waits && <p role="status">{partWords.waits}</p>
      )}
      <DialogActions>
        <Button
          kind={region === null ? 'primary' : 'normal'}
          autoFocus
          isDisabled={waits || search.isPending}
          onPress={() => search.mutate(null)}
        >
          {partWords.whole}
        </Button>
        <Button
          kind={region === null ? 'normal' : 'primary'}
          isDisabled={waits || region === null || search.isPending}
          onPress={() => search.mutate(region)}
        >
          {partWords.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
