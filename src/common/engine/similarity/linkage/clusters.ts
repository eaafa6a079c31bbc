/** Edges between clusters, each given by its representative row. */
export interface ClusterEdges {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly similarity: Float32Array;
}

/** Clusters, each given by its representative row. */
export interface Clusters {
  /** For each former representative row, the representative of the cluster that now contains it. */
  readonly root: Int32Array;
  readonly size: Int32Array;
  /** 1 for clusters whose edges must be measured again. */
  readonly changed: Uint8Array;
}
