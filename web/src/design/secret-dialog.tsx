import { texts } from '../texts';
import { Button } from './button';
import { Dialog, DialogActions } from './dialog';
import { toast } from './toast';
import styles from './secret-dialog.module.css';

const { secret: words } = texts.design;

/** Shows a secret that the service returns only once. */
export function SecretDialog({
  title,
  text,
  values,
  onClose,
}: {
  readonly title: string;
  readonly text: string;
  readonly values: readonly (readonly [label: string, value: string])[];
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={title} isAlert>
      <p className={styles.text}>{text}</p>
      <dl className={styles.values}>
        {values.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <code>{value}</code>
              <Button icon="copy" aria-label={words.copy(label)} onPress={() => void copy(label, value)}>
                {words.copyShort}
              </Button>
            </dd>
          </div>
        ))}
      </dl>
      <DialogActions>
        <Button kind="primary" onPress={onClose}>
          {words.kept}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

async function copy(label: string, value: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(value);
    toast({ text: words.copied(label) });
  } catch {
    // Browsers allow it on secure pages only.
    toast({ text: words.notCopied, isFailure: true });
  }
}
