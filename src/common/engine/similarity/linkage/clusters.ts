/** Edges between clusters, by the rows that stand for them. */
export interface ClusterEdges {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly similarity: Float32Array;
}

/** Clusters by the row that stands for each. */
export interface Clusters {
  /** For each row that stood for a cluster the one that it is part of now. */
  readonly root: Int32Array;
  readonly size: Int32Array;
  /** 1 for clusters whose edges are to be measured anew. */
  readonly changed: Uint8Array;
}
