import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { LabelListsBuilder } from '../../../common/engine/similarity/labels/label-lists';
import type { SimilarityStructure } from '../../../common/engine/similarity/similarity-structure';
import {
  placeOf,
  clusterRanks,
  groupOf,
  ROW_GROUPS,
  type RowGroup,
  labelColumnsOf,
  type JudgedLabels,
} from './domain/final-order';
import type { ComparedRow } from '../rows/row-source';

/** The compared values of one group of rows besides their vectors, in source order. */
export class RowFacts {
  readonly contentGroup: Int32Array;
  /** For frames, the index of their video; negative otherwise. */
  readonly videoOf: Int32Array;
  readonly labels: LabelListsBuilder;
  private readonly videos = new Map<string, number>();
  private filled = 0;

  constructor(
    readonly capacity: number,
    private readonly contentNumber: (sha256: string) => number,
  ) {
    this.contentGroup = new Int32Array(capacity);
    this.videoOf = new Int32Array(capacity).fill(-1);
    this.labels = new LabelListsBuilder(capacity);
  }

  /** The labels of a row without a vector, whose picture is no longer readable, are not judged. */
  add({ kind, parentId, sha256, embedding, labels }: ComparedRow): void {
    if (kind === 'FRAME' && parentId !== null) this.videoOf[this.filled] = numberIn(this.videos, parentId);
    this.contentGroup[this.filled] = this.contentNumber(sha256);
    this.labels.add(embedding === null ? [] : labels);
    this.filled += 1;
  }
}

/** The rows of one group that are added to a dataset. */
export class EmbeddingGroup {
  readonly facts: RowFacts;
  /** In source order, in memory shared with the worker. */
  readonly vectors: Float32Array;
  private readonly contents = new Map<string, number>();
  private filled = 0;

  constructor(
    readonly capacity: number,
    private readonly dimension: number,
  ) {
    this.vectors = new Float32Array(new SharedArrayBuffer(capacity * dimension * Float32Array.BYTES_PER_ELEMENT));
    this.facts = new RowFacts(capacity, (sha256) => numberIn(this.contents, sha256));
  }

  /** A row without a vector keeps zeros and is like no other. */
  add(row: ComparedRow): void {
    if (row.embedding !== null) this.vectors.set(row.embedding, this.filled * this.dimension);
    this.filled += 1;
    this.facts.add(row);
  }

  /** SHA-256 of each content, by its index in `contentGroup`. */
  contentHashes(): string[] {
    return [...this.contents.keys()];
  }
}

function numberIn(numbers: Map<string, number>, name: string): number {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  numbers.set(name, numbers.size);
  return numbers.size - 1;
}

export interface PlacedRow {
  readonly row: MediaRow;
  readonly rank: number;
}

/** The result of comparing a group of rows; without a structure if only their labels were judged. */
export interface ComparedRows {
  readonly structure?: SimilarityStructure;
  readonly judged: JudgedLabels | null;
}

interface PlacedGroup {
  readonly structure: SimilarityStructure | undefined;
  readonly judged: JudgedLabels | null | undefined;
  readonly ranks: Int32Array | undefined;
  readonly firstRank: number;
}

/** Computes the rank and columns of each row after the groups were compared. Rows must come in source order. */
export class RowPlacement {
  private readonly groups: Readonly<Record<RowGroup, PlacedGroup>>;
  private readonly seen: Record<RowGroup, number> = { IMAGES: 0, OBJECTS: 0, VIDEOS: 0 };

  constructor(compared: Partial<Record<RowGroup, ComparedRows>>, counts: Readonly<Record<RowGroup, number>>) {
    let firstRank = 0;
    const groups = {} as Record<RowGroup, PlacedGroup>;
    for (const name of ROW_GROUPS) {
      const { structure, judged } = compared[name] ?? {};
      groups[name] = { structure, judged, ranks: structure && clusterRanks(structure.clusters), firstRank };
      firstRank += counts[name];
    }
    this.groups = groups;
  }

  place(row: MediaRow): PlacedRow {
    const name = groupOf(row.kind);
    const { structure, judged, ranks, firstRank } = this.groups[name];
    const item = this.seen[name];
    this.seen[name] += 1;
    const labelColumns = judged === undefined ? {} : labelColumnsOf(judged, item);
    if (structure === undefined || ranks === undefined)
      return { row: { ...row, ...labelColumns }, rank: firstRank + item };
    const nearest = structure.nearest[item]!;
    const [c0, c1, c2, c3, c4] = structure.clusters;
    return {
      rank: firstRank + ranks[item]!,
      row: {
        ...row,
        ...labelColumns,
        uniqueness: structure.uniqueness[item]!,
        outlierConfidence: structure.outlier[item]!,
        nearestSimilarity: nearest < 0 ? null : nearest,
        clusters: [c0[item]!, c1[item]!, c2[item]!, c3[item]!, c4[item]!],
        mapPlace: placeOf(structure.layout, item),
      },
    };
  }

  /** The near-duplicate pairs of a group, by rank in the finished table. */
  edges(name: RowGroup): { first: Int32Array; second: Int32Array; cosine: Float32Array } {
    const { structure, ranks, firstRank } = this.groups[name];
    if (structure === undefined || ranks === undefined)
      return { first: new Int32Array(0), second: new Int32Array(0), cosine: new Float32Array(0) };
    const toPlace = (items: Int32Array): Int32Array => items.map((item) => firstRank + ranks[item]!);
    const { first, second, cosine } = structure.edges;
    return { first: toPlace(first), second: toPlace(second), cosine };
  }
}
