import { useCallback } from 'react';
import { useParameters } from '../design/parameters';

/** Of the address. */
export const MEDIA_PARAMETER = 'media';

/** Opens the details of a medium above any page that has a `MediaOverlay`; they are in the address. */
export function useOpenMedia(): (mediaId: string, options?: { readonly replace?: boolean }) => void {
  const [, changeParams] = useParameters();
  return useCallback(
    (mediaId, options) =>
      changeParams((params) => {
        const next = new URLSearchParams(params);
        next.set(MEDIA_PARAMETER, mediaId);
        return next;
      }, options),
    [changeParams],
  );
}
