import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Dialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useParameters } from '../design/parameters';
import { Failure } from '../api/failure';
import { keys } from '../api/keys';
import { IconButton } from '../design/button';
import { useEvents } from '../design/events';
import { Skeleton } from '../design/state';
import { texts } from '../texts';
import { EditBar } from './annotating/edit-bar';
import { EditPanel } from './annotating/edit-panel';
import { useEditMode } from './annotating/use-edit-mode';
import { Timeline } from './annotations/timeline-section';
import { useAnnotations } from './annotations/use-annotations';
import { evaluationIn } from './evaluating/evaluation-filter';
import { usePictureOutcomes, type LookedAtWith } from './evaluating/use-picture-outcomes';
import { takesLetters } from './key-target';
import { mediaQuery } from './media-query';
import { MediaFields } from './media-fields';
import { useOpenMedia } from './open-media';
import { readState } from './explore-address';
import { MediaStage, type Layers, type Seek } from './media-stage';
import { soughtWords } from './sought-words';
import { StageTools } from './stage-tools';
import styles from './media-dialog.module.css';

const { detail: words } = texts.media;

type EntityType = 'IMAGES' | 'OBJECTS' | 'VIDEOS';

export interface MediaOverlayProps {
  readonly datasetId: string;
  /** The media that the arrow keys go through. */
  readonly sequence: readonly string[];
  /** The state of the dataset that has them; the current one unless it is given, and nothing can be looked for in others. */
  readonly snapshotId?: string | undefined;
  /** The medium before or after one at an end of the sequence. */
  readonly onBeyond?: (mediaId: string, step: 1 | -1) => Promise<string | undefined>;
  readonly onFindSimilar?: ((mediaId: string, entity: EntityType) => void) | undefined;
  /** Offers to search by a part of the picture that is open. */
  readonly onPicture?: (picture: Blob) => void;
  /** Shows all media that were added together with one. */
  readonly onBatch?: (batchId: string) => void;
  /** Whose outcomes are shown; that of a filter in the address unless it is given. */
  readonly evaluation?: LookedAtWith;
}

interface OpenMediaProps extends MediaOverlayProps {
  readonly mediaId: string;
  readonly onClose: () => void;
}

/** The details of a medium above its page. */
export function MediaDialog(props: OpenMediaProps) {
  return (
    <ModalOverlay
      isOpen
      className={styles.overlay}
      onOpenChange={(isOpen) => {
        if (!isOpen) props.onClose();
      }}
    >
      <Modal className={styles.modal}>
        <Dialog className={styles.dialog} aria-label={words.title}>
          <Details {...props} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** What the page looks for, by the filters in the address. */
function useSought({ evaluation }: OpenMediaProps) {
  const [params] = useParameters();
  const { filters } = readState(params);
  return { sought: soughtWords(filters), lookedAtWith: evaluation ?? evaluationIn(filters) };
}

/** The one before stays until it is there. */
const useMedium = ({ datasetId, mediaId, snapshotId }: OpenMediaProps) =>
  useQuery({ ...mediaQuery(datasetId, mediaId, snapshotId), placeholderData: (before) => before });

function Details(props: OpenMediaProps) {
  const { datasetId, onClose, snapshotId, onFindSimilar, onPicture, onBatch } = props;
  const open = useOpenMedia();
  const neighbours = useNeighbours(props);
  const { data, error, refetch } = useMedium(props);
  const plain = useAnnotations(datasetId, data, snapshotId);
  const editing = useEditMode({ datasetId, media: data, annotations: plain, snapshotId });
  const { sought, lookedAtWith } = useSought(props);
  const isEdited = editing.mode !== null;
  const { annotations, outcomes } = usePictureOutcomes(datasetId, data, plain, isEdited ? undefined : lookedAtWith);
  const [layers, setLayers] = useState<Layers>({ shapes: true, text: true, caption: false });
  const [seek, setSeek] = useState<{ readonly mediaId: string; readonly to: Seek } | null>(null);
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <div className={styles.stage}>
        <div className={styles.bar}>
          <IconButton kind="normal" icon="close" label={words.close} onPress={onClose} />
          <EditBar {...editing} />
          {data !== undefined && <StageTools media={data} {...{ annotations, layers }} onChange={setLayers} />}
        </div>
        {data === undefined ? (
          <Skeleton style={{ width: '70%', aspectRatio: '4 / 3' }} />
        ) : (
          <MediaStage
            key={data.media_id}
            media={data}
            {...{ datasetId, snapshotId, annotations, layers, words: sought, editMode: editing.mode }}
            seek={seek?.mediaId === data.media_id ? seek.to : null}
          />
        )}
        <Neighbours {...neighbours} />
      </div>
      <aside className={styles.side} tabIndex={0} aria-label={words.title}>
        {editing.mode !== null && <EditPanel mode={editing.mode} {...{ datasetId, annotations, media: data }} />}
        {data === undefined ? (
          <Skeleton style={{ height: 240 }} />
        ) : (
          <MediaFields
            media={data}
            {...{ annotations, outcomes, onFindSimilar, onPicture, onBatch, words: sought }}
            onOpen={open}
            onSeek={(seconds) => setSeek({ mediaId: data.media_id, to: { seconds } })}
          />
        )}
        {data !== undefined && <Timeline media={data} {...{ datasetId, snapshotId }} />}
      </aside>
    </>
  );
}

interface NeighboursProps {
  readonly previous: string | undefined;
  readonly next: string | undefined;
  readonly onOpen: (mediaId: string) => void;
}

function Neighbours({ previous, next, onOpen }: NeighboursProps) {
  return (
    <>
      {previous !== undefined && (
        <div className={styles.previous}>
          <IconButton kind="normal" icon="left" label={words.previous} onPress={() => onOpen(previous)} />
        </div>
      )}
      {next !== undefined && (
        <div className={styles.next}>
          <IconButton kind="normal" icon="right" label={words.next} onPress={() => onOpen(next)} />
        </div>
      )}
    </>
  );
}

/** The media before and after the one that is open, which the arrow keys open too. The page knows those beyond the ends of the sequence. */
function useNeighbours({ datasetId, sequence, mediaId, onBeyond }: OpenMediaProps): NeighboursProps {
  const openMedia = useOpenMedia();
  const at = sequence.indexOf(mediaId);
  const { data: beyond } = useQuery({
    queryKey: keys.of(datasetId, 'beyond', mediaId, at, sequence.length),
    queryFn: async () => ({
      previous: (await onBeyond?.(mediaId, -1)) ?? null,
      next: (await onBeyond?.(mediaId, 1)) ?? null,
    }),
    enabled: onBeyond !== undefined && (at <= 0 || at === sequence.length - 1),
  });
  const previous = (at > 0 ? sequence[at - 1] : beyond?.previous) ?? undefined;
  const next = (at >= 0 ? sequence[at + 1] : undefined) ?? beyond?.next ?? undefined;
  const onOpen = (id: string) => openMedia(id, { replace: true });
  useEvents(window, {
    keydown: ({ key, target, shiftKey }) => {
      if (shiftKey || takesLetters(target) || target instanceof HTMLInputElement || target instanceof HTMLVideoElement)
        return;
      const goal = key === 'ArrowLeft' ? previous : key === 'ArrowRight' ? next : undefined;
      if (goal !== undefined) onOpen(goal);
    },
  });
  return { previous, next, onOpen };
}
