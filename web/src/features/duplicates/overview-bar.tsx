import { useState } from 'react';
import { Button } from '../../design/button';
import { Dialog, DialogActions } from '../../design/dialog';
import { Progress } from '../../design/state';
import { texts } from '../../texts';
import { useMayDecide, type Options, type Overview } from './duplicate-queries';
import { OptionFields } from './rule-popovers';
import styles from './duplicates.module.css';

const { duplicates: words } = texts;

interface AcceptAllProps {
  readonly overview: Overview;
  readonly options: Options;
  readonly onOptions: (options: Options) => void;
  readonly isPending: boolean;
  readonly onAccept: (withDoubtful: boolean) => void;
}

/** The effect of the rule on all groups, the progress of the review, and the button that accepts all. */
export function OverviewBar(props: AcceptAllProps) {
  const { overview, isPending } = props;
  const [isAsking, setIsAsking] = useState(false);
  const mayDecide = useMayDecide();
  const { total_groups: total, open_groups: open, kept, removed, removed_bytes: bytes, doubtful } = overview;
  const decided = total - open;
  return (
    <div className={styles.overview}>
      <div className={styles.sum}>
        <p role="status">
          {words.found(open, kept + removed + doubtful.kept + doubtful.removed)}: {words.overview(removed, bytes)}
        </p>
        {doubtful.groups > 0 && <small>{words.inDoubt(doubtful.groups, doubtful.removed)}</small>}
        {decided > 0 && <small>{words.progress(decided, total)}</small>}
      </div>
      {mayDecide && (
        <Button kind="primary" icon="check" isDisabled={open === 0 || isPending} onPress={() => setIsAsking(true)}>
          {words.acceptAll.button}
        </Button>
      )}
      {decided > 0 && (
        <div className={styles.progress}>
          <Progress label={words.progress(decided, total)} percent={Math.round((100 * decided) / total)} />
        </div>
      )}
      {isAsking && <AcceptAllDialog {...props} onClose={() => setIsAsking(false)} />}
    </div>
  );
}

function AcceptAllDialog({
  overview,
  options,
  onOptions,
  isPending,
  onAccept,
  onClose,
}: AcceptAllProps & { readonly onClose: () => void }) {
  const { open_groups: open, doubtful } = overview;
  const [withDoubtful, setWithDoubtful] = useState(false);
  const groups = withDoubtful ? open : open - doubtful.groups;
  const sum = (key: 'kept' | 'removed' | 'removed_bytes'): number => overview[key] + (withDoubtful ? doubtful[key] : 0);
  return (
    <Dialog title={words.acceptAll.title(groups)} onClose={onClose}>
      <div className={styles.dialogForm}>
        <p>{words.acceptAll.text(sum('kept'), sum('removed'), sum('removed_bytes'))}</p>
        {doubtful.groups > 0 && (
          <label className={styles.option}>
            <input type="checkbox" checked={withDoubtful} onChange={({ target }) => setWithDoubtful(target.checked)} />
            {words.acceptAll.withDoubtful(doubtful.groups)}
          </label>
        )}
        <OptionFields options={options} onChange={onOptions} />
        <DialogActions>
          <Button onPress={onClose}>{texts.design.cancel}</Button>
          <Button
            kind="primary"
            isDisabled={isPending || groups === 0 || options.tag?.trim() === ''}
            onPress={() => {
              onAccept(withDoubtful);
              onClose();
            }}
          >
            {words.acceptAll.confirm}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
