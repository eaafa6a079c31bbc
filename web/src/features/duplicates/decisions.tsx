import { useDataset } from '../../api/datasets';
import { Pending } from '../../api/failure';
import { Button } from '../../design/button';
import { Chip, EmptyState } from '../../design/state';
import { Picture } from '../../media/picture';
import { CleanedButton } from '../../media/subsets/cleaned-button';
import { texts } from '../../texts';
import { formatTime } from '../../texts/format';
import { DeletionScript } from './deletion-script';
import { DECISIONS_PER_PAGE, useCarryTexts, useDecisions, useMayDecide, useUndo } from './duplicate-queries';
import { Pager } from './pager';
import type { ReviewNavigation } from './review-state';
import styles from './duplicates.module.css';

const { decided: words, noFileIsDeleted } = texts.duplicates;
const MOST_PICTURES = 6;

/** The decisions, each with an undo. */
export function Decisions({
  state: { page },
  change,
  onDetails,
}: ReviewNavigation & {
  readonly onDetails: (mediaId: string) => void;
}) {
  const { id } = useDataset();
  const decisions = useDecisions(id, page);
  const { data } = decisions;
  const undo = useUndo(id);
  if (data === undefined) return <Pending of={decisions} height={240} margin={24} />;
  if (data.total === 0) return <EmptyState icon="check" title={words.noneTitle} text={words.noneText} />;
  const sizes = new Map<string, number>();
  for (const { batch_id: batch } of data.decisions) sizes.set(batch, (sizes.get(batch) ?? 0) + 1);
  return (
    <div className={styles.decisions}>
      <Head />
      <ul aria-label={words.list}>
        {data.decisions.map((decision, at) => {
          const { decision_id: key, batch_id: batch } = decision;
          const isFirst = data.decisions[at - 1]?.batch_id !== batch && (sizes.get(batch) ?? 0) > 1;
          return <DecisionRow key={key} {...{ decision, undo, onDetails }} beginsBatch={isFirst} />;
        })}
      </ul>
      <Pager page={page} perPage={DECISIONS_PER_PAGE} total={data.total} onChange={(next) => change({ page: next })} />
    </div>
  );
}

/** What can be made of the decisions. */
function Head() {
  const { id } = useDataset();
  const carry = useCarryTexts(id);
  const mayDecide = useMayDecide();
  return (
    <div className={styles.decisionsHead}>
      <p>{noFileIsDeleted}</p>
      {mayDecide && (
        <Button isDisabled={carry.isPending} onPress={() => carry.mutate()}>
          {words.carry}
        </Button>
      )}
      <CleanedButton datasetId={id} label={texts.subsets.copy.cleaned} chosen={{ decided_duplicates: true }} />
      <DeletionScript datasetId={id} />
      <a className={styles.download} href={`/api/v1/dataset/${id}/duplicates/removals.csv`} download>
        {words.export}
      </a>
    </div>
  );
}

type Decision = NonNullable<ReturnType<typeof useDecisions>['data']>['decisions'][number];

function DecisionRow({
  decision,
  undo,
  beginsBatch,
  onDetails,
}: {
  readonly decision: Decision;
  readonly undo: ReturnType<typeof useUndo>;
  /** It is the first of several that were made at once. */
  readonly beginsBatch: boolean;
  readonly onDetails: (mediaId: string) => void;
}) {
  const mayDecide = useMayDecide();
  const { decision_id: key, batch_id: batch, kind, members, n_kept: kept, n_removed: removed } = decision;
  return (
    <li className={styles.decision}>
      <Strip members={members} onDetails={onDetails} />
      <div className={styles.said}>
        <p>
          <Chip tone={kind === 'SETTLED' ? 'ok' : 'plain'}>{words.kinds[kind]}</Chip> {words.summary(kept, removed)}
        </p>
        <small dir="auto">{words.by(decision.decided_by, formatTime(decision.decided_at))}</small>
      </div>
      {mayDecide && (
        <div className={styles.groupActions}>
          {beginsBatch && (
            <Button kind="plain" isDisabled={undo.isPending} onPress={() => undo.mutate({ batch_id: batch })}>
              {words.undoBatch}
            </Button>
          )}
          <Button isDisabled={undo.isPending} onPress={() => undo.mutate({ decision_id: key })}>
            {words.undo}
          </Button>
        </div>
      )}
    </li>
  );
}

function Strip({
  members,
  onDetails,
}: {
  readonly members: Decision['members'];
  readonly onDetails: (mediaId: string) => void;
}) {
  return (
    <div className={styles.strip}>
      {members.slice(0, MOST_PICTURES).map(({ media_id: mediaId, role, file_name: name, media_thumb_uri: uri }) => (
        <button
          key={mediaId}
          type="button"
          data-stays={role === 'KEPT'}
          title={name}
          onClick={() => onDetails(mediaId)}
        >
          <Picture src={uri} alt={name} loading="lazy" />
        </button>
      ))}
      {members.length === 0 && <p>{words.missing}</p>}
    </div>
  );
}
