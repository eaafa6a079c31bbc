import { useState } from 'react';
import { IconButton } from '../../design/button';
import { texts } from '../../texts';
import { formatBytes } from '../../texts/format';
import { ANNOTATION_FORMATS, filesToSend, withAnnotations, type PickedFiles } from './annotation-rules';
import { FileButton } from './file-choice';
import type { PathFile } from './picked-files';
import { useFileDrop } from './use-file-drop';
import styles from './adding.module.css';

const { annotations: words } = texts.adding;
const TAKEN = { multiple: true, accept: '.json,.csv,.parquet' };

type Contents = Readonly<Record<(typeof ANNOTATION_FORMATS)[number]['kind'], string>>;

interface AnnotationChoiceProps {
  readonly picked: PickedFiles;
  readonly onChange: (picked: PickedFiles) => void;
  /** The columns of each kind of file. */
  readonly contents?: Contents | undefined;
}

/** Annotation files of this computer, for the media of a dataset. */
export function AnnotationChoice({ picked, onChange, contents }: AnnotationChoiceProps) {
  const [refused, setRefused] = useState<readonly string[]>([]);
  const choose = (chosen: readonly PathFile[]) => {
    const [next, others] = withAnnotations(picked, chosen);
    setRefused(others);
    onChange(next);
  };
  const remove = (removed: PathFile) =>
    onChange({ ...picked, annotations: picked.annotations.filter((each) => each !== removed) });
  const { isOver, handlers } = useFileDrop(choose);
  const { annotations } = picked;
  return (
    <section className={styles.choice} data-over={isOver} aria-label={words.title} {...handlers}>
      <div className={styles.buttons}>
        <FileButton icon="tag" label={words.choose} takes={TAKEN} onChoose={choose} />
      </div>
      {refused.length > 0 && (
        <p className={styles.error} role="alert" dir="auto">
          {words.refused(refused)}
        </p>
      )}
      {annotations.length > 0 && (
        <>
          <ul>
            {annotations.map((each) => (
              <li key={each.path} className={styles.chosen}>
                <p>{words.chosen(each.path, formatBytes(each.file.size))}</p>
                <IconButton icon="close" label={words.remove(each.path)} onPress={() => remove(each)} />
              </li>
            ))}
          </ul>
          <NamingNote picked={picked} />
        </>
      )}
      <AnnotationFormats lead={words.lead} contents={contents} />
    </section>
  );
}

/** How the rows of the files have to name the media that were chosen. */
function NamingNote({ picked }: { readonly picked: PickedFiles }) {
  const example = filesToSend(picked)[picked.annotations.length];
  if (example === undefined) return null;
  return (
    <p className={styles.hint}>
      {words.naming} <code dir="auto">{example.path}</code>
    </p>
  );
}

/** The accepted names, with the contents of each. */
export function AnnotationFormats({
  lead,
  contents = words.contents,
}: {
  readonly lead: string;
  readonly contents?: Contents | undefined;
}) {
  return (
    <div className={styles.hint}>
      <p>{lead}</p>
      <dl className={styles.formats}>
        {ANNOTATION_FORMATS.map(({ kind, names }) => (
          <div key={kind}>
            <dt>
              {names.map((name) => (
                <code key={name}>{name}</code>
              ))}
            </dt>
            <dd>{contents[kind]}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
