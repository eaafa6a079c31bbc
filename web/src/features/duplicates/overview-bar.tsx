import { useState } from 'react';
import type { components } from 'dataset-media-service-sdk';
import { Button } from '../../design/button';
import { Dialog, DialogActions } from '../../design/dialog';
import { Progress } from '../../design/state';
import { texts } from '../../texts';
import { useMayDecide, type Options } from './duplicate-queries';
import { OptionFields } from './rule-popovers';
import styles from './duplicates.module.css';

type Overview = components['schemas']['DuplicateOverview'];

const { duplicates: words } = texts;

interface AcceptAllProps {
  readonly overview: Overview;
  readonly options: Options;
  readonly onOptions: (options: Options) => void;
  readonly isPending: boolean;
  readonly onAccept: () => void;
}

/** What the rule would do to all groups, how far people are, and the button that does it. */
export function OverviewBar(props: AcceptAllProps) {
  const { overview, isPending } = props;
  const [isAsking, setIsAsking] = useState(false);
  const mayDecide = useMayDecide();
  const { total_groups: total, open_groups: open, removed, removed_bytes: bytes } = overview;
  const decided = total - open;
  return (
    <div className={styles.overview}>
      <div className={styles.sum}>
        <p role="status">{words.overview(open, removed, bytes)}</p>
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
  const { open_groups: open, kept, removed, removed_bytes: bytes } = overview;
  return (
    <Dialog title={words.acceptAll.title(open)} onClose={onClose}>
      <div className={styles.dialogForm}>
        <p>{words.acceptAll.text(kept, removed, bytes)}</p>
        <OptionFields options={options} onChange={onOptions} />
        <DialogActions>
          <Button onPress={onClose}>{texts.design.cancel}</Button>
          <Button
            kind="primary"
            isDisabled={isPending || options.tag?.trim() === ''}
            onPress={() => {
              onAccept();
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
