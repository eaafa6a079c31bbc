import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { messageOf, Pending } from '../../api/failure';
import { service } from '../../api/client';
import { keys } from '../../api/keys';
import { Button } from '../../design/button';
import { Dialog, DialogActions } from '../../design/dialog';
import { TextArea } from '../../design/field';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import styles from './duplicates.module.css';

const { script: words } = texts.subsets;
/** The most lines that are shown; the copied script has all. */
const MOST_SHOWN = 1_000;

/** A shell script that deletes the files of the removal list, to copy. */
export function DeletionScript({ datasetId }: { readonly datasetId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button icon="code" onPress={() => setIsOpen(true)}>
        {words.action}
      </Button>
      {isOpen && <ScriptDialog datasetId={datasetId} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function ScriptDialog({ datasetId, onClose }: { readonly datasetId: string; readonly onClose: () => void }) {
  const path = `/api/v1/dataset/${datasetId}/duplicates/removals.sh`;
  const { data, error, refetch } = useQuery({
    queryKey: keys.of(datasetId, 'duplicates', 'script'),
    queryFn: async () => (await service.connection.request(path)).text(),
  });
  const copy = (text: string) => {
    navigator.clipboard.writeText(text).then(
      () => toast({ text: words.copied }),
      (failed: unknown) => toast({ text: messageOf(failed), isFailure: true }),
    );
  };
  const lines = data?.split('\n') ?? [];
  return (
    <Dialog title={words.title} onClose={onClose} isWide>
      <p>{words.text}</p>
      <Pending of={{ data, error, refetch }} height={240} />
      {data !== undefined && (
        <TextArea
          label={words.script}
          hint={lines.length > MOST_SHOWN ? words.long(lines.length) : undefined}
          value={lines.slice(0, MOST_SHOWN).join('\n')}
          rows={14}
          dir="ltr"
          spellCheck={false}
          readOnly
        />
      )}
      <DialogActions>
        <a className={styles.download} href={path} download>
          {words.download}
        </a>
        {/* Browsers have no clipboard for pages without TLS. */}
        {window.isSecureContext && (
          <Button kind="primary" icon="copy" isDisabled={data === undefined} onPress={() => copy(data ?? '')}>
            {words.copy}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
