import type { Card, CardTexts } from '../../../common/engine/media-table/row-card';
import type { UnderstoodText } from '../../../common/engine/models/texts/class-texts';
import type { ClusterSummary, ExploreIndex, GroupDoubt, SaidLabels } from '../../versions';
import type { MatchedPlace } from '../query/matched-places';
import type { ScoreKind } from '../query/search-engine';

/** The fields of a row that previews show. */
export type PreviewRow = Card;

export interface TagCount {
  readonly id: string;
  readonly count: number;
}

export interface Preview {
  readonly kind: ReturnType<ExploreIndex['kindOf']>;
  readonly row: PreviewRow;
  readonly score: number | null;
  readonly labels: readonly string[];
  readonly tags: readonly string[];
  /** Where the words of a search are; undefined if it has none, or did not find this row by them. */
  readonly matched: readonly MatchedPlace[] | undefined;
  /** What each source says; undefined if that was not asked for. */
  readonly sources?: SaidLabels | undefined;
  /** The video of a frame, or the video itself. */
  readonly video: PreviewRow | undefined;
}

/** A preview whose rows are among the cards of its page. */
export interface CardPreview extends Omit<Preview, 'row' | 'video'> {
  readonly card: number;
  readonly video: number | undefined;
}

export interface FoundCluster extends Omit<ClusterSummary, 'previews' | 'hits'> {
  readonly id: string;
  readonly previews: readonly CardPreview[];
  readonly tags: readonly TagCount[];
  /** For groups of near duplicates: why a group may have different pictures, or null. */
  readonly doubt?: GroupDoubt | null | undefined;
}

/** Plain data, which can be sent to another thread. */
export interface FoundClusters {
  readonly cards: CardTexts;
  readonly totalPages: number;
  readonly scored: ScoreKind | undefined;
  readonly formedBy: 'SIMILARITY' | 'DUPLICATES';
  readonly clusters: readonly FoundCluster[];
  /** Set if only some media were ranked, because the other vectors are still being loaded. */
  readonly partial?: SearchedPart | undefined;
  /** Set if the search may have missed some media. */
  readonly recall?: number | undefined;
  /** Set if texts were compared with pictures by the classes that they name. */
  readonly understood?: readonly UnderstoodText[] | undefined;
}

export interface SearchedPart {
  readonly searched: number;
  readonly total: number;
}
