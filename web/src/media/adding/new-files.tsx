import { AnnotationChoice } from './annotation-choice';
import { withChosen, type PickedFiles } from './annotation-rules';
import { FileChoice } from './file-choice';
import type { PathFile } from './picked-files';

/** The files of a new dataset: media, and annotation files beside them. */
export const NewFiles = ({
  picked,
  onChange,
  onChoose,
}: {
  readonly picked: PickedFiles;
  readonly onChange: (picked: PickedFiles) => void;
  /** Called with the files that were just chosen or dropped. */
  readonly onChoose?: (chosen: readonly PathFile[]) => void;
}) => (
  <>
    <FileChoice
      files={picked.media}
      onChoose={(chosen) => {
        onChange(withChosen(picked, chosen));
        onChoose?.(chosen);
      }}
      onClear={() => onChange({ ...picked, media: [] })}
    />
    <AnnotationChoice picked={picked} onChange={onChange} />
  </>
);
