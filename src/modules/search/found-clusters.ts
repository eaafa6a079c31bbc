import type { ClusterSummary, ExploreIndex } from './domain/explore-index';
import type { PreviewRow } from './preview-rows';
import type { ScoreKind } from './search-engine';

export interface Preview {
  readonly kind: ReturnType<ExploreIndex['kindOf']>;
  readonly row: PreviewRow;
  readonly score: number | null;
  readonly labels: readonly string[];
  readonly tags: readonly string[];
  /** The video of a frame, or the video itself. */
  readonly video: PreviewRow | undefined;
}

export interface FoundCluster extends Omit<ClusterSummary, 'previews' | 'hits'> {
  readonly id: string;
  readonly previews: readonly Preview[];
  readonly tags: readonly { readonly id: string; readonly count: number }[];
}

export interface FoundClusters {
  readonly totalPages: number;
  readonly scored: ScoreKind | undefined;
  readonly formedBy: 'SIMILARITY' | 'DUPLICATES';
  readonly clusters: readonly FoundCluster[];
  /** Set if only some were ranked, because the vectors of the others are still being read. */
  readonly partial?: SearchedPart | undefined;
  /** Set if the search may have missed some media. */
  readonly recall?: number | undefined;
}

export interface SearchedPart {
  readonly searched: number;
  readonly total: number;
}
