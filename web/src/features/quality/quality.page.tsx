import { useState } from 'react';
import { useNavigate } from 'react-router';
import { isExplorable, useDataset } from '../../api/datasets';
import { Failure } from '../../api/failure';
import { Segments } from '../../design/field';
import { PageHeader } from '../../design/page-header';
import { MediaOverlay } from '../../media/media-overlay';
import { useOpenMedia } from '../../media/open-media';
import { NotReadyPage } from '../../media/not-ready';
import { texts } from '../../texts';
import { IssueCard } from './issue-card';
import { ISSUES, useFacets, type Entity } from './quality-queries';
import { Suggestions } from './suggestions';
import styles from './quality.module.css';

const { quality: words } = texts;
const ENTITIES = (['IMAGES', 'OBJECTS'] as const).map((value) => ({ value, label: words.entity[value] }));

const needsLabels = (issue: string): boolean => issue === 'mislabels' || issue === 'class_outliers';

/** The possible issues of the media of a dataset. */
export function QualityPage() {
  const dataset = useDataset();
  const { id } = dataset;
  const navigate = useNavigate();
  const openMedia = useOpenMedia();
  const [entity, setEntity] = useState<Entity>('IMAGES');
  const [sequence, setSequence] = useState<readonly string[]>([]);
  const { data, error, refetch } = useFacets(id, entity);
  const open = (mediaId: string, among: readonly string[]) => {
    setSequence(among);
    openMedia(mediaId);
  };
  if (!isExplorable(dataset)) return <NotReadyPage dataset={dataset} title={words.title} />;
  return (
    <>
      <PageHeader title={words.title} note={data === undefined ? undefined : words.note(data.total)}>
        {dataset.n_objects > 0 && (
          <Segments label={words.entity.label} choices={ENTITIES} value={entity} onChange={setEntity} />
        )}
      </PageHeader>
      {error !== null && data === undefined ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Issues entity={entity} isLabelled={data === undefined || data.labels.length > 0} onOpen={open} />
      )}
      <MediaOverlay
        datasetId={id}
        sequence={sequence}
        onFindSimilar={(mediaId, type) => void navigate(`../explore?type=${type}&anchor=MEDIA%3A${mediaId}`)}
      />
    </>
  );
}

function Issues({
  entity,
  isLabelled,
  onOpen,
}: {
  readonly entity: Entity;
  /** Without labels, none can be wrong. */
  readonly isLabelled: boolean;
  readonly onOpen: (mediaId: string, among: readonly string[]) => void;
}) {
  const { id } = useDataset();
  return (
    <div className={styles.page}>
      <div className={styles.cards}>
        {ISSUES.filter((issue) => isLabelled || !needsLabels(issue)).map((issue) => (
          <IssueCard key={`${entity}/${issue}`} datasetId={id} entity={entity} issue={issue} onOpen={onOpen} />
        ))}
      </div>
      {isLabelled ? (
        <Suggestions datasetId={id} entity={entity} onOpen={onOpen} />
      ) : (
        <p className={styles.text}>{words.unlabelled}</p>
      )}
    </div>
  );
}
