import { useId } from 'react';
import { useQuery } from '@tanstack/react-query';
import { IconButton } from '../../design/button';
import { Segments, TextField } from '../../design/field';
import { SelectField } from '../../design/select';
import { texts } from '../../texts';
import { formatBytes } from '../../texts/format';
import { annotationsIn, sourcesQuery } from '../annotations/annotation-query';
import { FileButton } from './file-choice';
import { ImportPreview } from './import-preview';
import type { PathFile } from './picked-files';
import {
  isImportedInto,
  isInVain,
  isPreviewed,
  MOST_SOURCE_FILES,
  MOST_SOURCE_NAME,
  previewQuery,
  SOURCE_KINDS,
  SOURCE_MODES,
  type ReadFormat,
  type SourceImport,
} from './source-import';
import { withMore } from './upload-rules';
import { useFileDrop } from './use-file-drop';
import styles from './adding.module.css';

const { annotations: choiceWords, sourceFiles: words } = texts.adding;
const KINDS = SOURCE_KINDS.map((value) => ({ value, label: words.kinds[value] }));
const MODES = SOURCE_MODES.map((value) => ({ value, label: words.modes[value] }));
const TOLD = '';
const FORMATS = [{ value: TOLD, label: words.told }].concat(
  Object.entries(words.formats).map(([value, label]) => ({ value, label })),
);

/** What the files have, and whether they can be sent into the source. Files that are too large for a preview can. */
export function useImportPreview(datasetId: string, files: readonly PathFile[], { source, format }: SourceImport) {
  const { data: preview, error } = useQuery({ ...previewQuery(datasetId, format, files), retry: false });
  const { data: sources = [] } = useQuery(sourcesQuery(datasetId));
  const known = sources.find(({ name }) => name === source);
  const isOfModel = known !== undefined && !isImportedInto(known);
  const hasUse = !isPreviewed(files) || (preview !== undefined && !isInVain(preview));
  const isFew = files.length > 0 && files.length <= MOST_SOURCE_FILES;
  return { preview, error, sources, known, isOfModel, isUsable: isFew && hasUse && !isOfModel && source.trim() !== '' };
}

interface SourceFilesProps {
  readonly datasetId: string;
  readonly files: readonly PathFile[];
  readonly onFiles: (files: readonly PathFile[]) => void;
  readonly into: SourceImport;
  readonly onInto: (into: SourceImport) => void;
}

/** Files of any tool, and the source that they go into. */
export function SourceFiles({ datasetId, files, onFiles, into, onInto }: SourceFilesProps) {
  const list = useId();
  const { preview, error, sources, known, isOfModel } = useImportPreview(datasetId, files, into);
  return (
    <>
      <ChosenFiles files={files} onFiles={onFiles} />
      <SelectField
        label={words.format}
        options={FORMATS}
        value={into.format ?? TOLD}
        onChange={(value) => onInto({ ...into, format: value === TOLD ? null : (value as ReadFormat) })}
      />
      <TextField
        label={words.source}
        hint={known === undefined ? words.sourceHint : words.known(words.kinds[known.kind], annotationsIn(known))}
        error={isOfModel ? words.ofModel : undefined}
        value={into.source}
        maxLength={MOST_SOURCE_NAME}
        dir="auto"
        list={list}
        onChange={({ target }) => onInto({ ...into, source: target.value })}
      />
      <datalist id={list}>
        {sources.filter(isImportedInto).map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {known === undefined && (
        <Segments label={words.kind} choices={KINDS} value={into.kind} onChange={(kind) => onInto({ ...into, kind })} />
      )}
      <Segments label={words.mode} choices={MODES} value={into.mode} onChange={(mode) => onInto({ ...into, mode })} />
      <p className={styles.hint}>
        {into.mode === 'replace' && known !== undefined
          ? words.replaced(annotationsIn(known))
          : words.modeHints[into.mode]}
      </p>
      {files.length > 0 &&
        (isPreviewed(files) ? (
          <ImportPreview preview={preview} error={error} />
        ) : (
          <p className={styles.hint}>{words.tooLarge}</p>
        ))}
    </>
  );
}

function ChosenFiles({ files, onFiles }: Pick<SourceFilesProps, 'files' | 'onFiles'>) {
  const add = (more: readonly PathFile[]) => onFiles(withMore(files, more));
  const { isOver, handlers } = useFileDrop(add);
  return (
    <section className={styles.choice} data-over={isOver} aria-label={choiceWords.title} {...handlers}>
      <div className={styles.buttons}>
        <FileButton icon="tag" label={choiceWords.choose} takes={{ multiple: true }} onChoose={add} />
      </div>
      {files.length === 0 && <p className={styles.hint}>{words.filesHint}</p>}
      {files.length > MOST_SOURCE_FILES && (
        <p className={styles.error} role="alert">
          {words.tooMany(MOST_SOURCE_FILES)}
        </p>
      )}
      {files.length > 0 && (
        <ul className={styles.refused} tabIndex={0} aria-label={choiceWords.title}>
          {files.map((each) => (
            <li key={each.path} className={styles.chosen}>
              <p>{choiceWords.chosen(each.path, formatBytes(each.file.size))}</p>
              <IconButton
                icon="close"
                label={choiceWords.remove(each.path)}
                onPress={() => onFiles(files.filter((other) => other !== each))}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
