import type { components } from 'dataset-media-service-sdk';
import { queries } from '../../api/client';
import { messageOf } from '../../api/failure';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { annotationsQuery, withKey } from '../annotations/annotation-query';
import type { ShownAnnotation } from '../annotations/shapes';
import { framesOf } from '../annotations/video-frames';
import { mediaQuery } from '../media-query';
import { useOpenMedia } from '../open-media';
import type { Edit } from './edit';
import { editQueue } from './edit-queue';
import { copiedTo } from './next-frame';
import { withUnsent } from './unsent-edits';

type MediaDetail = components['schemas']['MediaDetail'];

const { annotating: words } = texts;

interface From {
  readonly datasetId: string;
  readonly media: MediaDetail | undefined;
  readonly mode: {
    readonly source: string;
    readonly selected: ShownAnnotation | undefined;
    readonly isOwn: boolean;
    readonly select: (key: string) => void;
  };
  readonly all: readonly ShownAnnotation[];
  readonly make: (edit: Edit) => void;
}

/** Copies shapes to the next frame of the same video as one edit, and opens that frame; undefined for other pictures. */
export function useNextFrame({ datasetId, media, mode, all, make }: From): (() => void) | undefined {
  const open = useOpenMedia();
  const videoId = media?.frame_timestamp == null ? undefined : media.parent?.media_id;
  if (media === undefined || videoId === undefined) return undefined;
  const { source, selected, isOwn, select } = mode;
  const ofSource = all.filter((each) => each.source === source && each.shape !== null);
  const shapes = isOwn && selected?.shape ? [selected] : ofSource;
  const copy = async () => {
    const frames = framesOf(await queries.query(mediaQuery(datasetId, videoId)));
    const next = frames[frames.findIndex(({ id }) => id === media.media_id) + 1];
    if (next === undefined) {
      toast({ text: words.lastFrame });
      return;
    }
    const there = (await annotationsOf(datasetId, next.id)).filter((each) => each.source === source);
    const changes = copiedTo(there, shapes);
    if (changes.length > 0) make({ datasetId, mediaId: next.id, source, changes });
    toast({ text: words.copiedToFrame(changes.length) });
    open(next.id, { replace: true });
    const [first, second] = changes;
    if (first !== undefined && second === undefined) select(withKey({ media_id: next.id, source, id: first.id }).key);
  };
  return () => void copy().catch((error: unknown) => toast({ text: messageOf(error), isFailure: true }));
}

/** As they will be when all edits are saved. */
async function annotationsOf(datasetId: string, mediaId: string): Promise<readonly ShownAnnotation[]> {
  const { annotations } = await queries.query({ ...annotationsQuery(datasetId, [mediaId]), staleTime: 0 });
  const { unsent } = editQueue.read();
  const edits = unsent.filter((edit) => edit.datasetId === datasetId && edit.mediaId === mediaId);
  return withUnsent(annotations, edits, withKey);
}
