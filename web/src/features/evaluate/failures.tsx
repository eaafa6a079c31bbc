import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { Pending } from '../../api/failure';
import { Segments } from '../../design/field';
import { Examples } from '../../media/examples';
import { MediaOverlay } from '../../media/media-overlay';
import { useOpenMedia } from '../../media/open-media';
import { texts } from '../../texts';
import { useFailures, type Asked, type FailureGroup } from './evaluate-queries';
import { Part } from './part';
import { exploreAddress } from './pictures-of';
import styles from './evaluate.module.css';

const { failures: words } = texts.evaluate;
const CHOICES = (['all', 'fp', 'fn'] as const).map((value) => ({ value, label: words.of[value] }));
const HEIGHT_PX = 160;
const MOST_EXAMPLES = 8;

/** Pictures with mistakes, those that look alike together. */
export function Failures({ asked }: { readonly asked: Asked }) {
  const navigate = useNavigate();
  const openMedia = useOpenMedia();
  const [of, setOf] = useState<(typeof CHOICES)[number]['value']>('all');
  const [sequence, setSequence] = useState<readonly string[]>([]);
  const failures = useFailures(asked, of === 'all' ? undefined : of);
  const { data } = failures;
  const open = (mediaId: string, among: readonly string[]) => {
    setSequence(among);
    openMedia(mediaId);
  };
  return (
    <Part
      title={words.title}
      text={words.text}
      tools={<Segments label={words.of.label} choices={CHOICES} value={of} onChange={setOf} />}
    >
      {data === undefined && <Pending of={failures} height={HEIGHT_PX} />}
      {data?.groups.length === 0 && <p className={styles.muted}>{words.none}</p>}
      <div className={styles.groups}>
        {data?.groups.map((group) => (
          <Group key={group.cluster_id} datasetId={asked.datasetId} group={group} onOpen={open} />
        ))}
      </div>
      <MediaOverlay
        datasetId={asked.datasetId}
        sequence={sequence}
        evaluation={{ evaluation: asked.evaluationId }}
        onFindSimilar={(mediaId, type) =>
          void navigate(`/datasets/${asked.datasetId}/explore?type=${type}&anchor=MEDIA%3A${mediaId}`)
        }
      />
    </Part>
  );
}

function Group({
  datasetId,
  group: { n_media: media, n_failures: count, n_compared: compared, previews, vql },
  onOpen,
}: {
  readonly datasetId: string;
  readonly group: FailureGroup;
  readonly onOpen: (mediaId: string, among: readonly string[]) => void;
}) {
  const examples = previews.slice(0, MOST_EXAMPLES).map((each) => ({ ...each, name: each.file_name }));
  return (
    <article className={styles.group}>
      <h3>{words.group(count, media)}</h3>
      <p className={styles.muted}>{words.compared(compared)}</p>
      <Examples {...{ examples, onOpen }} />
      <Link className={styles.link} to={exploreAddress(datasetId, vql)}>
        {texts.evaluate.explore}
        <span className="visually-hidden">: {words.group(count, media)}</span>
      </Link>
    </article>
  );
}
