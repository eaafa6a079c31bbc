import { useEffect, useRef, type RefObject } from 'react';
import { Link, useNavigate } from 'react-router';
import { useParameters } from '../../design/parameters';
import { useDataset } from '../../api/datasets';
import { Failure, messageOf, Pending } from '../../api/failure';
import { IconButton } from '../../design/button';
import { Select } from '../../design/choices';
import { PageHeader } from '../../design/page-header';
import { Pager } from '../../design/pager';
import { EmptyState, Skeleton } from '../../design/state';
import { MediaOverlay } from '../../media/media-overlay';
import { texts } from '../../texts';
import {
  KINDS,
  PER_PAGE,
  useBothStates,
  useEarlierStates,
  useFindings,
  type EarlierState,
  type Kind,
} from './findings-queries';
import { FindingsRow, type Side } from './findings-row';
import { FindingsSummary } from './findings-summary';
import styles from './findings.module.css';

const { findings: words } = texts.enrich;

type Parameters = Readonly<Record<string, string | undefined>>;

/** The address: a page of one kind of findings, and the state that it is compared with. */
function useFindingsAddress() {
  const [params, changeParams] = useParameters();
  const change = (values: Parameters, replace = true) =>
    changeParams(
      (current) => {
        const next = new URLSearchParams(current);
        for (const [name, value] of Object.entries(values))
          if (value === undefined) next.delete(name);
          else next.set(name, value);
        return next;
      },
      { replace },
    );
  return { params, page: Math.max(0, Math.floor(Number(params.get('page') ?? 0)) || 0), change };
}

/** The findings of models in the pictures of a dataset, beside the earlier annotations. */
export function FindingsPage() {
  const dataset = useDataset();
  const { params, page, change } = useFindingsAddress();
  const findings = useFindings(dataset.id, page);
  const states = useEarlierStates(dataset);
  const earlier = states?.find(({ value }) => value === params.get('with')) ?? states?.[0];
  const { data } = findings;
  const found = KINDS.filter((each) => data !== undefined && data[each].count > 0);
  const kind = KINDS.find((each) => each === params.get('show')) ?? found[0] ?? 'captions';
  return (
    <>
      <PageHeader title={words.title} note={dataset.display_name} before={<BackButton />}>
        <Against states={states} earlier={earlier} onChange={(value) => change({ with: value })} />
      </PageHeader>
      <div className={styles.page}>
        <Pending of={findings} height={320} />
        {data !== undefined && found.length === 0 && (
          <EmptyState icon="sparkle" title={words.none.title} text={words.none.text} />
        )}
        {data !== undefined && found.length > 0 && (
          <>
            <FindingsSummary findings={data} kind={kind} onChange={(show) => change({ show, page: undefined })} />
            <Compared states={states} earlier={earlier} sourceId={dataset.source_dataset_id} />
            <Pictures
              key={kind}
              kind={kind}
              mediaIds={data[kind].media_ids}
              isBusy={findings.isPlaceholderData}
              states={states}
              earlier={earlier}
              onOpen={(mediaId, side) => change({ media: mediaId, of: side === 'now' ? undefined : side }, false)}
            />
            <Pager
              page={page}
              pageSize={PER_PAGE}
              total={data[kind].count}
              onChange={(next) => change({ page: next === 0 ? undefined : String(next) }, false)}
            />
            <Details datasetId={dataset.id} earlier={earlier} side={params.get('of')} sequence={data[kind].media_ids} />
          </>
        )}
      </div>
    </>
  );
}

interface ComparedStates {
  readonly states: readonly EarlierState[] | undefined;
  readonly earlier: EarlierState | undefined;
}

/** Chooses one of several earlier states. */
function Against({ states, earlier, onChange }: ComparedStates & { readonly onChange: (value: string) => void }) {
  if (states === undefined || states.length <= 1 || earlier === undefined) return null;
  return <Select label={words.against} options={states} value={earlier.value} onChange={onChange} />;
}

function BackButton() {
  const { id } = useDataset();
  const navigate = useNavigate();
  return <IconButton icon="left" label={words.back} onPress={() => void navigate(`/datasets/${id}/enrich`)} />;
}

/** Which state stands beside the current one, or why there is none. */
function Compared({ states, earlier, sourceId }: ComparedStates & { readonly sourceId: string | null }) {
  if (states === undefined) return null;
  if (earlier !== undefined)
    return (
      <p className={styles.muted} dir="auto">
        {words.beforeIn}{' '}
        {earlier.snapshotId === undefined ? (
          <Link to={`/datasets/${earlier.datasetId}`}>{earlier.label}</Link>
        ) : (
          earlier.label
        )}
      </p>
    );
  return <p className={styles.muted}>{sourceId === null ? words.alone.none : words.alone.source}</p>;
}

/** Another page begins at its beginning. */
function useBeginning(list: RefObject<HTMLElement | null>, first: string | undefined): void {
  const shown = useRef(first);
  useEffect(() => {
    if (shown.current !== first) list.current?.scrollIntoView({ block: 'start' });
    shown.current = first;
  }, [list, first]);
}

function Pictures({
  kind,
  mediaIds,
  isBusy,
  states,
  earlier,
  onOpen,
}: ComparedStates & {
  readonly kind: Kind;
  readonly mediaIds: readonly string[];
  readonly isBusy: boolean;
  readonly onOpen: (mediaId: string, side: Side) => void;
}) {
  const { id } = useDataset();
  const list = useRef<HTMLUListElement>(null);
  const { now, before } = useBothStates(id, mediaIds, earlier);
  useBeginning(list, mediaIds[0]);
  if (mediaIds.length === 0)
    return <EmptyState icon="sparkle" title={words.noneOf[kind].title} text={words.noneOf[kind].text} />;
  if (now.error !== null) return <Failure error={now.error} onRetry={() => void now.refetch()} />;
  if (now.data === undefined || states === undefined) return <Skeleton style={{ height: 480 }} />;
  return (
    <>
      {before.error !== null && (
        <p className={styles.error} role="alert">
          {words.unreadable(messageOf(before.error))}
        </p>
      )}
      <ul ref={list} className={styles.rows} aria-label={words.list(words.kinds[kind])} aria-busy={isBusy}>
        {now.data.map((media) =>
          media === undefined ? null : (
            <FindingsRow
              key={media.media_id}
              now={media}
              before={before.data === undefined ? null : before.data.find((each) => each?.media_id === media.media_id)}
              isCompared={earlier !== undefined && before.error === null}
              onOpen={(side) => onOpen(media.media_id, side)}
            />
          ),
        )}
      </ul>
    </>
  );
}

/** Of the medium that the address names, in the state that it names. */
function Details({
  datasetId,
  earlier,
  side,
  sequence,
}: {
  readonly datasetId: string;
  readonly earlier: EarlierState | undefined;
  readonly side: string | null;
  readonly sequence: readonly string[];
}) {
  const isBefore = side === 'before' && earlier !== undefined;
  return (
    <MediaOverlay
      datasetId={isBefore ? earlier.datasetId : datasetId}
      snapshotId={isBefore ? earlier.snapshotId : undefined}
      sequence={sequence}
    />
  );
}
