import { useSyncExternalStore } from 'react';
import { Button, IconButton } from '../../design/button';
import { useEvents } from '../../design/events';
import type { IconName } from '../../design/icon';
import { texts } from '../../texts';
import { takesLetters } from '../key-target';
import { editQueue } from './edit-queue';
import { TOOLS, type EditMode, type Editing, type Tool } from './use-edit-mode';
import styles from './annotating.module.css';

const { annotating: words } = texts;
const ICONS: Readonly<Record<Tool, IconName>> = {
  select: 'pointer',
  box: 'box',
  polygon: 'polygon',
  keypoints: 'points',
  brush: 'brush',
  eraser: 'eraser',
  take: 'take',
};

/** Begins to edit; then the tools. */
export function EditBar({ mode, begin }: Editing) {
  useEvents(mode === null && begin !== undefined ? window : null, {
    keydown: ({ key, target, ctrlKey, metaKey, altKey }) => {
      if (key.toLowerCase() === 'e' && !ctrlKey && !metaKey && !altKey && !takesLetters(target)) begin?.();
    },
  });
  return (
    <div className={styles.bar} role="toolbar" aria-label={words.tools}>
      {mode === null && begin !== undefined && (
        <Button icon="pencil" onPress={begin}>
          {words.begin}
        </Button>
      )}
      {mode !== null && <Tools mode={mode} />}
    </div>
  );
}

function Tools({ mode }: { readonly mode: EditMode }) {
  const { unsent } = useSyncExternalStore(editQueue.subscribe, editQueue.read);
  return (
    <>
      <Button icon="check" onPress={mode.end}>
        {words.end}
      </Button>
      {TOOLS.map((tool) => (
        <IconButton
          key={tool}
          kind="normal"
          icon={ICONS[tool]}
          label={words.toolNames[tool]}
          aria-pressed={mode.tool === tool}
          onPress={() => mode.onTool(tool)}
        />
      ))}
      <IconButton
        kind="normal"
        icon="undo"
        label={words.undo}
        isDisabled={mode.undo === undefined}
        onPress={() => mode.undo?.()}
      />
      <IconButton
        kind="normal"
        icon="redo"
        label={words.redo}
        isDisabled={mode.redo === undefined}
        onPress={() => mode.redo?.()}
      />
      <span role="status" className={styles.status}>
        {unsent.length === 0 ? words.saved : words.saving(unsent.length)}
      </span>
    </>
  );
}
