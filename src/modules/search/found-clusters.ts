import type { ClusterSummary, ExploreIndex } from './domain/explore-index';
import type { PreviewRow } from './preview-rows';

export interface Preview {
  readonly kind: ReturnType<ExploreIndex['kindOf']>;
  readonly row: PreviewRow;
  readonly labels: readonly string[];
  /** Of a frame, or itself. */
  readonly video: PreviewRow | undefined;
}

export interface FoundCluster extends ClusterSummary {
  readonly shown: readonly Preview[];
}

export interface FoundClusters {
  readonly clusteringId: string;
  readonly totalPages: number;
  readonly clusters: readonly FoundCluster[];
}
