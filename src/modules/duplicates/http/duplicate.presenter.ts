import { formatTimestamp, formatTimestampOrNull } from '../../../common/platform/http/query-values';
import { presentPreview, rowsShown, type MediaUrls } from '../../search';
import type { ShownDecision } from '../decision-list.reader';
import type { ReviewedMember } from '../duplicate-groups.reader';
import type { PresentedMember } from './duplicate.schemas';

const UNRANKED = { relevance_score: null, relevance_score_type: null };

/** Presents members of several groups; their addresses are made together. */
export async function memberPresenter(
  lists: readonly (readonly ReviewedMember[])[],
  urls: MediaUrls,
  names: ReadonlyMap<string, string>,
): Promise<(member: ReviewedMember) => PresentedMember> {
  const addresses = await urls.of(rowsShown(lists.flat().map(({ preview }) => preview)));
  return ({ preview, row, addedAt, similarity, isKept }) => ({
    ...presentPreview(preview, UNRANKED, addresses, names),
    role: isKept ? 'KEPT' : 'REMOVED',
    size_bytes: row.sizeBytes,
    mime_type: row.mimeType,
    sha256: row.sha256,
    sharpness: row.sharpness,
    added_at: formatTimestampOrNull(addedAt),
    similarity,
  });
}

export const presentDecision = (
  { decision, members }: ShownDecision,
  present: (member: ReviewedMember) => PresentedMember,
) => ({
  decision_id: decision.id,
  batch_id: decision.batchId,
  kind: decision.removed.length === 0 ? ('DIFFERENT' as const) : ('SETTLED' as const),
  decided_by: decision.decidedBy,
  decided_at: formatTimestamp(decision.decidedAt),
  n_kept: decision.kept.length,
  n_removed: decision.removed.length,
  members: members.map(present),
});
