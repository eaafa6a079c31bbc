import { useState } from 'react';
import { Failure } from '../../api/failure';
import { Button } from '../../design/button';
import { Skeleton } from '../../design/state';
import type { PictureAnnotations } from '../../media/annotations/use-annotations';
import { texts } from '../../texts';
import { AcceptAnswer, BoxesAnswer, ChoiceAnswer, LabelsAnswer } from './answers';
import { useQuestionKeys } from './question-keys';
import { ReasonDialog } from './reason-dialog';
import type { Item, Question } from './review-queries';
import { TakeBack } from './take-back';
import type { GivenDecision } from './use-work';
import styles from './review.module.css';

const { work: words } = texts.review;

interface QuestionPanelProps {
  readonly question: Question;
  readonly item: Item;
  readonly annotations: PictureAnnotations;
  readonly onDecide: (given: GivenDecision) => void;
  /** Undefined if nothing can be taken back. */
  readonly onTakeBack: (() => void) | undefined;
}

/** The question about an item, and what else can be done with the item. */
export function QuestionPanel({ question, item, annotations, onDecide, onTakeBack }: QuestionPanelProps) {
  const [isFlagging, setIsFlagging] = useState(false);
  const skip = () => onDecide({ verdict: 'skip' });
  const flag = () => setIsFlagging(true);
  useQuestionKeys({ skip, flag });
  return (
    <div className={styles.panel}>
      <h2 dir="auto">{question.text ?? words.ask[question.type]}</h2>
      {item.state === 'rejected' && <p className={styles.returned}>{words.returned}</p>}
      <Answers {...{ question, item, annotations, onDecide }} />
      <div className={styles.others}>
        <Button kind="plain" onPress={skip}>
          {words.skip} <kbd aria-hidden="true">S</kbd>
        </Button>
        <Button kind="plain" onPress={flag}>
          {words.flag} <kbd aria-hidden="true">F</kbd>
        </Button>
        <TakeBack onPress={onTakeBack} />
      </div>
      {isFlagging && (
        <ReasonDialog
          title={words.flagTitle}
          confirm={words.flag}
          isNeeded
          onReason={(reason) => onDecide({ verdict: 'flag', reason })}
          onClose={() => setIsFlagging(false)}
        />
      )}
    </div>
  );
}

function Answers({ question, item, annotations, onDecide }: Omit<QuestionPanelProps, 'onTakeBack'>) {
  const answer = (given: Omit<GivenDecision, 'verdict'>) => onDecide({ verdict: 'answer', ...given });
  const { type, options, source } = question;
  switch (type) {
    case 'choose':
      return <ChoiceAnswer options={options} onAnswer={(choice) => answer({ choice })} />;
    case 'accept':
      return <AcceptAnswer onAnswer={(accepted) => answer({ accepted })} />;
    case 'boxes':
      return <BoxesAnswer mediaId={item.media_id} onAnswer={() => answer({})} />;
    case 'labels': {
      // An answer replaces the labels that are there.
      if (!annotations.isLoaded)
        return annotations.error === null ? <Skeleton style={{ height: 60 }} /> : <Failure error={annotations.error} />;
      const now = annotations.all.filter((each) => each.source === source && each.shape === null);
      const present = [...new Set(now.map(({ label }) => label))];
      return <LabelsAnswer options={options} present={present} onAnswer={(labels) => answer({ labels })} />;
    }
  }
}
