import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { isExplorable, useDataset } from '../../api/datasets';
import { Failure } from '../../api/failure';
import { Button } from '../../design/button';
import { Segments } from '../../design/field';
import { PageHeader } from '../../design/page-header';
import { EmptyState, Skeleton } from '../../design/state';
import { MediaOverlay } from '../../media/media-overlay';
import { useOpenMedia } from '../../media/open-media';
import { NotReadyPage } from '../../media/not-ready';
import { texts } from '../../texts';
import { Decisions } from './decisions';
import {
  GROUPS_PER_PAGE,
  useAcceptAll,
  useDecide,
  useGroups,
  useOverview,
  useUndo,
  useViewSearch,
  type Choice,
  type Group,
  type Options,
} from './duplicate-queries';
import { GroupList } from './group-list';
import { OverviewBar } from './overview-bar';
import { Pager } from './pager';
import { useReviewState, type ReviewNavigation } from './review-state';
import { RuleBar } from './rule-bar';
import styles from './duplicates.module.css';

const { duplicates: words } = texts;
const TABS = (['open', 'decided'] as const).map((value) => ({ value, label: words.tabs[value] }));

export function DuplicatesPage() {
  const dataset = useDataset();
  const navigate = useNavigate();
  const navigation = useReviewState();
  const openMedia = useOpenMedia();
  const { state, change } = navigation;
  const [sequence, setSequence] = useState<readonly string[]>([]);
  if (!isExplorable(dataset)) return <NotReadyPage dataset={dataset} title={words.title} />;
  return (
    <>
      <PageHeader title={words.title}>
        <Segments label={words.tabs.label} choices={TABS} value={state.tab} onChange={(tab) => change({ tab })} />
      </PageHeader>
      {state.tab === 'open' ? (
        <Review
          {...navigation}
          onDetails={(mediaId, group) => {
            setSequence(group.members.map(({ media_id: id }) => id));
            openMedia(mediaId);
          }}
        />
      ) : (
        <Decisions {...navigation} onDetails={openMedia} />
      )}
      <MediaOverlay
        datasetId={dataset.id}
        sequence={sequence}
        onFindSimilar={(mediaId) => void navigate(`../explore?anchor=MEDIA%3A${mediaId}`)}
      />
    </>
  );
}

function Review({
  onDetails,
  ...navigation
}: ReviewNavigation & { readonly onDetails: (mediaId: string, group: Group) => void }) {
  const { id } = useDataset();
  const { state, change } = navigation;
  const [options, setOptions] = useState<Options>({ tag: words.toRemove, carriesTags: true, carriesTexts: false });
  const view = useViewSearch(id, state);
  const groups = useGroups(id, state, view);
  const overview = useOverview(id, state, view);
  const decisions = useLastDecision(id, state, view, options);
  return (
    <div className={styles.page}>
      <RuleBar datasetId={id} navigation={navigation} options={options} onOptions={setOptions} />
      {overview.data !== undefined && overview.data.total_groups > 0 && (
        <OverviewBar
          overview={overview.data}
          options={options}
          onOptions={setOptions}
          isPending={decisions.isAccepting}
          onAccept={decisions.acceptAll}
        />
      )}
      <Groups
        {...navigation}
        groups={groups}
        onUndo={decisions.takeBack}
        onDetails={onDetails}
        onDecide={decisions.decide}
      />
      <Pager
        page={state.page}
        perPage={GROUPS_PER_PAGE}
        total={groups.data?.open_groups ?? 0}
        onChange={(page) => change({ page })}
      />
      <div className={styles.last} role="status">
        {decisions.last !== null && (
          <div>
            {decisions.last.text}
            <Button kind="plain" isDisabled={decisions.isUndoing} onPress={decisions.takeBack}>
              {words.done.undo}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

interface Last {
  readonly batch: string;
  readonly text: string;
}

/** Decides about one group, or about all, and undoes what was decided last. */
function useLastDecision(
  datasetId: string,
  state: ReviewNavigation['state'],
  view: ReturnType<typeof useViewSearch>,
  options: Options,
) {
  const [last, setLast] = useState<Last | null>(null);
  const decide = useDecide(datasetId, state, options);
  const acceptAll = useAcceptAll(datasetId, state, view, options);
  const undo = useUndo(datasetId);
  return {
    last,
    isAccepting: acceptAll.isPending,
    isUndoing: undo.isPending,
    takeBack: () => {
      if (last === null) return;
      undo.mutate({ batch_id: last.batch });
      setLast(null);
    },
    acceptAll: (withDoubtful: boolean) =>
      acceptAll.mutate(
        { withDoubtful },
        {
          onSuccess: ({ batch_id: batch, decisions, removed }) =>
            setLast({ batch, text: words.done.all(decisions, removed) }),
        },
      ),
    decide: (group: Group, choice: Choice) =>
      decide.mutate(
        { group, choice },
        {
          onSuccess: ({ batch_id: batch, kept, removed }) =>
            setLast({ batch, text: removed === 0 ? words.done.different : words.done.settled(kept, removed) }),
        },
      ),
  };
}

function Groups({
  state,
  change,
  groups: { data, error, refetch, isFetching },
  onDecide,
  onUndo,
  onDetails,
}: ReviewNavigation & {
  readonly groups: ReturnType<typeof useGroups>;
  readonly onDecide: Parameters<typeof GroupList>[0]['onDecide'];
  readonly onUndo: () => void;
  readonly onDetails: (mediaId: string, group: Group) => void;
}) {
  // The last page may have been decided away.
  const isBeyond = !isFetching && data?.groups.length === 0 && data.open_groups > 0 && state.page > 0;
  useEffect(() => {
    if (isBeyond) change({ page: 0 });
  }, [isBeyond, change]);
  if (error !== null && data === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  const { total_groups: total, open_groups: open, groups } = data;
  if (total === 0) return <EmptyState icon="copy" title={words.none.title} text={words.none.text} />;
  if (open === 0)
    return (
      <EmptyState icon="check" title={words.finished.title} text={words.finished.text(total)}>
        <Button onPress={() => change({ tab: 'decided' })}>{words.finished.action}</Button>
      </EmptyState>
    );
  if (groups.length === 0) return <Waiting />;
  return (
    <GroupList
      groups={groups}
      page={state.page}
      onDecide={onDecide}
      onUndo={onUndo}
      onDetails={(mediaId) => {
        const group = groups.find(({ members }) => members.some((each) => each.media_id === mediaId));
        if (group !== undefined) onDetails(mediaId, group);
      }}
    />
  );
}

const Waiting = () => (
  <div className={styles.list}>
    {[0, 1, 2].map((at) => (
      <Skeleton key={at} style={{ height: 300 }} />
    ))}
  </div>
);
