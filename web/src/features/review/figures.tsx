import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../api/failure';
import { Button } from '../../design/button';
import { PageBody } from '../../design/page-body';
import { Table } from '../../design/table';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { formatDecimal, formatNumber, formatPercent } from '../../texts/format';
import { DECISION_FORMATS, type DecisionFormat } from './decision-formats';
import { exportDecisions } from './export-decisions';
import type { Progress } from './review-queries';
import styles from './review.module.css';

const { figures: words } = texts.review;

interface FiguresProps {
  readonly datasetId: string;
  readonly queue: Progress;
}

/** How far a queue is, how well people agree, and what each of them did. */
export function Figures({ datasetId, queue }: FiguresProps) {
  const { people_figures: people, label_figures: labels } = queue;
  return (
    <PageBody isDense>
      <Numbers queue={queue} />
      {people.length > 0 && (
        <Table label={words.people} columns={words.peopleColumns}>
          {people.map((each) => (
            <tr key={each.person}>
              <td>
                <bdi>{each.person}</bdi>
              </td>
              {[each.answered, each.skipped, each.flagged, each.rejected].map((count, at) => (
                <td key={at}>{formatNumber(count)}</td>
              ))}
              <td>{words.right(each.honeypots_right, each.honeypots)}</td>
            </tr>
          ))}
        </Table>
      )}
      {labels.length > 0 && (
        <Table label={words.labels} columns={words.labelColumns}>
          {labels.map(({ label, answered, rejected }) => (
            <tr key={label}>
              <td>
                <bdi>{label}</bdi>
              </td>
              <td>{formatNumber(answered)}</td>
              <td>{formatNumber(rejected)}</td>
            </tr>
          ))}
        </Table>
      )}
      <Exports datasetId={datasetId} queue={queue} />
    </PageBody>
  );
}

function Numbers({ queue }: Pick<FiguresProps, 'queue'>) {
  const { states, n_left: left, n_leased: leased, rate_per_hour: rate, agreement_figures: agreement } = queue;
  const { observed, cohen_kappa: cohen, krippendorff_alpha: krippendorff } = agreement;
  const all: readonly (readonly [string, string | null])[] = [
    [words.left, formatNumber(left)],
    [words.done, formatNumber(states.done)],
    [words.skipped, formatNumber(states.skipped)],
    [words.flagged, formatNumber(states.flagged)],
    [words.leased, formatNumber(leased)],
    [words.rate, formatNumber(rate)],
    [words.observed, observed === null ? null : formatPercent(observed)],
    [words.cohen, cohen === null ? null : formatDecimal(cohen)],
    [words.krippendorff, krippendorff === null ? null : formatDecimal(krippendorff)],
  ];
  return (
    <dl className={styles.figures}>
      {all.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Exports({ datasetId, queue: { id, name } }: FiguresProps) {
  const read = useMutation({
    mutationFn: (format: DecisionFormat) => exportDecisions(datasetId, id, format),
    onSuccess: (file, format) => save(file, `${name}.${format.toLowerCase()}`),
    onError: (error) => toast({ text: words.exportFailed(messageOf(error)), isFailure: true }),
  });
  return (
    <div className={styles.others}>
      {(Object.keys(DECISION_FORMATS) as DecisionFormat[]).map((format) => (
        <Button key={format} icon="download" isDisabled={read.isPending} onPress={() => read.mutate(format)}>
          {words.export(format)}
        </Button>
      ))}
    </div>
  );
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
