import { lazyPart } from '../design/lazy-part';
import { useParameters } from '../design/parameters';
import type { MediaOverlayProps } from './media-dialog';
import { MEDIA_PARAMETER } from './open-media';

const MediaDialog = lazyPart(async () => (await import('./media-dialog')).MediaDialog);

/** The details of the medium in the address. */
export function MediaOverlay(props: MediaOverlayProps) {
  const [params, changeParams] = useParameters();
  const mediaId = params.get(MEDIA_PARAMETER);
  const close = () =>
    changeParams((current) => {
      const next = new URLSearchParams(current);
      next.delete(MEDIA_PARAMETER);
      return next;
    });
  return mediaId === null ? null : <MediaDialog {...props} mediaId={mediaId} onClose={close} />;
}
