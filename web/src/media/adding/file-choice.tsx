import { useRef } from 'react';
import { Button, IconButton } from '../../design/button';
import { texts } from '../../texts';
import { chosenFiles, type PathFile } from './picked-files';
import { bytesOf } from './upload-rules';
import { useFileDrop } from './use-file-drop';
import styles from './adding.module.css';

const { choice: words } = texts.adding;

interface Choosing {
  readonly files: readonly PathFile[];
  /** What was chosen or dropped now. */
  readonly onChoose: (files: readonly PathFile[]) => void;
  readonly onClear: () => void;
}

/** Files and folders of this computer, chosen or dropped. */
export function FileChoice({ files, onChoose, onClear }: Choosing) {
  const filesInput = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);
  const [isOver, drop] = useFileDrop(onChoose);
  return (
    <div className={styles.choice} data-over={isOver} {...drop}>
      <div className={styles.buttons}>
        <Button icon="image" onPress={() => filesInput.current?.click()}>
          {words.files}
        </Button>
        <Button icon="folder" onPress={() => folderInput.current?.click()}>
          {words.folder}
        </Button>
      </div>
      <input
        ref={filesInput}
        type="file"
        multiple
        hidden
        onChange={({ target }) => onChoose(chosenFiles(target.files))}
      />
      <input
        ref={folderInput}
        type="file"
        webkitdirectory=""
        hidden
        onChange={({ target }) => onChoose(chosenFiles(target.files))}
      />
      <Chosen
        text={files.length === 0 ? undefined : words.chosen(files.length, bytesOf(files))}
        hint={words.filesHint}
        onClear={onClear}
      />
    </div>
  );
}

/** One archive of this computer, chosen or dropped. */
export function ArchiveChoice({ files: [archive], onChoose, onClear }: Choosing) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, drop] = useFileDrop(onChoose);
  return (
    <div className={styles.choice} data-over={isOver} {...drop}>
      <div className={styles.buttons}>
        <Button icon="stack" onPress={() => input.current?.click()}>
          {words.archive}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        accept=".zip,.tar,.tar.gz,.tgz"
        hidden
        onChange={({ target }) => onChoose(chosenFiles(target.files))}
      />
      <Chosen
        text={archive === undefined ? undefined : words.chosenArchive(archive.path, archive.file.size)}
        hint={words.archiveHint}
        onClear={onClear}
      />
    </div>
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
