import type { components } from 'dataset-media-service-sdk';
import { useQuery } from '@tanstack/react-query';
import { Button, IconButton } from '../../design/button';
import { Select } from '../../design/choices';
import { texts } from '../../texts';
import { formatPercent } from '../../texts/format';
import type { ShownAnnotation, Size } from '../annotations/shapes';
import type { PictureAnnotations } from '../annotations/use-annotations';
import { AnnotationAttributes } from '../describing/annotation-attributes';
import { MediaDescription } from '../describing/media-description';
import { facetsOf } from '../facets';
import { readState } from '../explore-address';
import { LabelField } from './label-field';
import { likelyLabels } from './likely-labels';
import { brushIn, isMasking, LEAST_BRUSH, mostBrush } from './masking';
import type { EditMode } from './use-edit-mode';
import styles from './annotating.module.css';

type MediaDetail = components['schemas']['MediaDetail'];

const { annotating: words } = texts;

const MOST_SET_LABELS = 40;
const EVERYTHING = readState(new URLSearchParams());

const focusPicture = (): void =>
  document.querySelector<HTMLElement>(`[role=group][aria-label="${words.surface}"]`)?.focus();

/** What is selected, and the labels of the whole picture. */
export function EditPanel({
  datasetId,
  mode,
  annotations: { all, size },
  media,
}: {
  readonly datasetId: string;
  readonly mode: EditMode;
  readonly media: MediaDetail | undefined;
  readonly annotations: PictureAnnotations;
}) {
  const { selected, waiting, source, sources } = mode;
  const labels = useLikelyLabels(datasetId, media, all, mode);
  const title = waiting !== null ? words.labelOfNew : selected !== undefined ? words.label : words.labelOfPicture;
  const mayLabel = waiting !== null || selected === undefined || mode.isOwn;
  return (
    <section className={styles.panel} aria-label={words.panel}>
      <Select
        label={words.source}
        options={sources.map((name) => ({ value: name, label: name }))}
        value={source}
        onChange={mode.onSource}
      />
      {mayLabel && (
        <LabelField
          key={waiting !== null ? 'new' : (selected?.key ?? 'picture')}
          {...{ title, labels }}
          initial={waiting === null ? (selected?.label ?? '') : ''}
          isFocused={waiting !== null}
          onLabel={mode.label}
          onLeave={focusPicture}
        />
      )}
      {mayLabel && <SetLabels mode={mode} />}
      {selected !== undefined && <Selected mode={mode} selected={selected} />}
      {isMasking(mode.tool) && <BrushSize mode={mode} size={size} />}
      {mode.copyToNextFrame !== undefined && (
        <div className={styles.row}>
          <Button icon="copy" onPress={mode.copyToNextFrame}>
            {words.copyToNextFrame(selected !== undefined && mode.isOwn)}
          </Button>
        </div>
      )}
      <PictureLabels mode={mode} all={all} />
      {media !== undefined && <MediaDescription key={media.media_id} {...{ datasetId, media }} />}
    </section>
  );
}

function Selected({ mode, selected }: { readonly mode: EditMode; readonly selected: ShownAnnotation }) {
  if (mode.isOwn)
    return (
      <>
        <AnnotationAttributes {...{ mode, selected }} onLeave={focusPicture} />
        <div className={styles.row}>
          <Button icon="trash" onPress={() => mode.remove(selected)}>
            {words.remove}
          </Button>
        </div>
      </>
    );
  const { label, source, confidence } = selected;
  return (
    <>
      <p className={styles.said} dir="auto">
        {words.saidBy(label, source, confidence === null ? null : formatPercent(confidence))}
      </p>
      <div className={styles.row}>
        <Button icon="copy" onPress={() => mode.copy(selected)}>
          {words.copyTo(mode.source)}
        </Button>
      </div>
    </>
  );
}

/** The first labels of the label set; the field above has all. */
function SetLabels({ mode }: { readonly mode: EditMode }) {
  const { labelSet, selected, tool, nextLabel, waiting } = mode;
  const current = waiting !== null ? undefined : tool === 'select' ? selected?.label : nextLabel;
  if (labelSet.length === 0) return null;
  return (
    <ul className={styles.set} aria-label={words.labelSet}>
      {labelSet.slice(0, MOST_SET_LABELS).map(({ name, colour, hot_key: hotKey }) => (
        <li key={name}>
          <button
            type="button"
            aria-pressed={name === current}
            aria-keyshortcuts={hotKey ?? undefined}
            onClick={() => {
              mode.onHotKey(name);
              focusPicture();
            }}
          >
            {colour !== null && <span className={styles.swatch} style={{ background: colour }} />}
            <bdi>{name}</bdi>
            {hotKey !== null && <kbd>{hotKey}</kbd>}
          </button>
        </li>
      ))}
    </ul>
  );
}

function BrushSize({ mode, size }: { readonly mode: EditMode; readonly size: Size }) {
  const brush = brushIn(size, mode.brush);
  return (
    <label className={styles.brushSize}>
      <span>{words.brushSize}</span>
      <input
        type="range"
        min={LEAST_BRUSH}
        max={mostBrush(size)}
        value={brush}
        aria-valuetext={words.pixels(brush)}
        onChange={({ target }) => mode.onBrush(target.valueAsNumber)}
      />
      <output>{words.pixels(brush)}</output>
    </label>
  );
}

function PictureLabels({ mode, all }: { readonly mode: EditMode; readonly all: readonly ShownAnnotation[] }) {
  const own = all.filter(({ source, shape }) => source === mode.source && shape === null);
  if (own.length === 0) return null;
  return (
    <ul className={styles.labels} aria-label={words.labelsOfPicture}>
      {own.map((annotation) => (
        <li key={annotation.key}>
          <bdi>{annotation.label}</bdi>
          <IconButton
            icon="close"
            label={words.removeLabel(annotation.label)}
            onPress={() => mode.remove(annotation)}
          />
        </li>
      ))}
    </ul>
  );
}

function useLikelyLabels(
  datasetId: string,
  media: MediaDetail | undefined,
  all: readonly ShownAnnotation[],
  { source, labelSet }: EditMode,
): readonly string[] {
  const { data } = useQuery(facetsOf(datasetId, EVERYTHING));
  return likelyLabels({
    media,
    others: all.filter((each) => each.source !== source).map(({ label }) => label),
    own: all.filter((each) => each.source === source).map(({ label }) => label),
    wanted: labelSet.map(({ name }) => name),
    frequent: data?.labels.map(({ value }) => value) ?? [],
  });
}
