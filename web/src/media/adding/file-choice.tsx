import { useRef, type InputHTMLAttributes } from 'react';
import { Button, IconButton } from '../../design/button';
import type { IconName } from '../../design/icon';
import { texts } from '../../texts';
import { chosenFiles, type PathFile } from './picked-files';
import { bytesOf } from './upload-rules';
import { useFileDrop } from './use-file-drop';
import styles from './adding.module.css';

const { choice: words } = texts.adding;

interface Choosing {
  readonly files: readonly PathFile[];
  /** The files that were just chosen or dropped. */
  readonly onChoose: (files: readonly PathFile[]) => void;
  readonly onClear: () => void;
}

/** Files and folders of this computer, chosen or dropped. */
export function FileChoice({ files, onChoose, onClear }: Choosing) {
  const { isOver, found, handlers } = useFileDrop(onChoose);
  const isChosen = files.length > 0;
  return (
    <div className={styles.choice} data-over={isOver} {...handlers}>
      <div className={styles.buttons}>
        <FileButton icon="image" label={words.files} takes={{ multiple: true }} onChoose={onChoose} />
        <FileButton icon="folder" label={words.folder} takes={{ webkitdirectory: '' }} onChoose={onChoose} />
      </div>
      <Chosen
        text={isChosen ? words.chosen(files.length, bytesOf(files)) : undefined}
        hint={words.filesHint}
        onClear={onClear}
      />
      {found !== undefined && (
        <p className={styles.hint} role="status">
          {words.reading(found)}
        </p>
      )}
    </div>
  );
}

/** One archive of this computer, chosen or dropped. */
export function ArchiveChoice({ files: [archive], onChoose, onClear }: Choosing) {
  const { isOver, handlers } = useFileDrop(onChoose);
  return (
    <div className={styles.choice} data-over={isOver} {...handlers}>
      <div className={styles.buttons}>
        <FileButton icon="stack" label={words.archive} takes={ARCHIVES} onChoose={onChoose} />
      </div>
      <Chosen
        text={archive === undefined ? undefined : words.chosenArchive(archive.path, archive.file.size)}
        hint={words.archiveHint}
        onClear={onClear}
      />
    </div>
  );
}

const ARCHIVES = { accept: '.zip,.tar,.tar.gz,.tgz' };

interface FileButtonProps extends Pick<Choosing, 'onChoose'> {
  readonly icon: IconName;
  readonly label: string;
  readonly takes: Pick<InputHTMLAttributes<HTMLInputElement>, 'multiple' | 'accept' | 'webkitdirectory'>;
}

/** Opens the browser's own dialog. */
export function FileButton({ icon, label, takes, onChoose }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon={icon} onPress={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        {...takes}
        onChange={({ target }) => {
          onChoose(chosenFiles(target.files));
          // So that the same file can be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}

function Chosen({
  text,
  hint,
  onClear,
}: {
  readonly text: string | undefined;
  readonly hint: string;
  readonly onClear: () => void;
}) {
  if (text === undefined) return <p className={styles.hint}>{hint}</p>;
  return (
    <div className={styles.chosen}>
      <p role="status" dir="auto">
        {text}
      </p>
      <IconButton icon="close" label={words.clear} onPress={onClear} />
    </div>
  );
}
