import { useState } from 'react';
import { Button } from '../../design/button';
import { texts } from '../../texts';
import { useQuestionKeys } from './question-keys';
import { ReasonDialog } from './reason-dialog';
import type { Item } from './review-queries';
import styles from './review.module.css';

const { work: words } = texts.review;

function saidIn({ state, answer }: Item): string {
  if (state === 'flagged' || answer === null) return words.flagged;
  const { labels, choice, accepted } = answer;
  if (labels !== undefined) return words.said(labels.join(', '));
  if (accepted !== undefined) return words.said(accepted ? words.yes : words.no);
  return words.said(choice ?? words.done);
}

/** What was answered, to accept or reject. */
export function CheckPanel({
  item,
  onCheck,
}: {
  readonly item: Item;
  readonly onCheck: (given: { readonly accepted: boolean; readonly reason?: string }) => void;
}) {
  const [isRejecting, setIsRejecting] = useState(false);
  const accept = () => onCheck({ accepted: true });
  const reject = () => setIsRejecting(true);
  useQuestionKeys({ say: (accepted) => (accepted ? accept() : reject()) });
  return (
    <div className={styles.panel}>
      <h2 dir="auto">{saidIn(item)}</h2>
      <div className={styles.options}>
        <Button kind="primary" icon="check" onPress={accept}>
          {words.accept} <kbd aria-hidden="true">Y</kbd>
        </Button>
        <Button icon="close" onPress={reject}>
          {words.reject} <kbd aria-hidden="true">N</kbd>
        </Button>
      </div>
      {isRejecting && (
        <ReasonDialog
          title={words.rejectTitle}
          confirm={words.reject}
          isNeeded={false}
          onReason={(reason) => onCheck({ accepted: false, ...(reason !== '' && { reason }) })}
          onClose={() => setIsRejecting(false)}
        />
      )}
    </div>
  );
}
