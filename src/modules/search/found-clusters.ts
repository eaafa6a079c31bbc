import type { ClusterSummary, ExploreIndex } from './domain/explore-index';
import type { PreviewRow } from './preview-rows';
import type { Scored } from './search-engine';

export interface Preview {
  readonly kind: ReturnType<ExploreIndex['kindOf']>;
  readonly row: PreviewRow;
  readonly score: number | null;
  readonly labels: readonly string[];
  readonly tags: readonly string[];
  /** Of a frame, or itself. */
  readonly video: PreviewRow | undefined;
}

export interface FoundCluster extends Omit<ClusterSummary, 'previews' | 'hits'> {
  readonly id: string;
  readonly previews: readonly Preview[];
  readonly tags: readonly { readonly id: string; readonly count: number }[];
}

export interface FoundClusters {
  readonly totalPages: number;
  readonly scored: Scored | undefined;
  readonly formedBy: 'SIMILARITY' | 'DUPLICATES';
  readonly clusters: readonly FoundCluster[];
}
