import type { ReactNode } from 'react';
import type { MediaPreview } from 'dataset-media-service-sdk';
import { LINE_PX, TileFacts } from './tile-facts';
import { TILE_WIDTHS, useTileSettings } from './tile-settings';
import { useShownFacts, useTileValues } from './tile-values';

const ABOVE_PX = 2;

/** How tiles are shown, as people chose. */
export interface TileLayout {
  readonly minWidth: number;
  readonly footer: number;
  /** With the labels and tags of all media of the tile. */
  readonly factsOf: (preview: MediaPreview, of: Pick<MediaPreview, 'labels' | 'user_tags'>) => ReactNode;
}

/** `idsOf` returns the media that represent the tiles of a visible page. */
export function useTileFacts(
  datasetId: string,
  pages: readonly number[],
  idsOf: (page: number) => readonly string[],
): TileLayout {
  const [{ size }] = useTileSettings();
  const shown = useShownFacts(datasetId);
  const valuesOf = useTileValues(datasetId, shown, pages, idsOf);
  return {
    minWidth: TILE_WIDTHS[size]!,
    footer: shown.length === 0 ? 0 : shown.length * LINE_PX + ABOVE_PX,
    factsOf: (preview, { labels, user_tags: tags }) =>
      shown.length === 0 ? undefined : (
        <TileFacts
          shown={shown}
          preview={preview}
          labels={Object.keys(labels ?? {})}
          tags={Object.values(tags ?? {}).map(({ name }) => name)}
          values={valuesOf(preview.media_id)}
        />
      ),
  };
}
