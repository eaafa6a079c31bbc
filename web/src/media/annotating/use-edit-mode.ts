import { useState, useSyncExternalStore } from 'react';
import type { components } from 'dataset-media-service-sdk';
import { useQuery } from '@tanstack/react-query';
import { useDatasets, useMayChange } from '../../api/datasets';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { labelSetQuery, sourcesQuery, withKey } from '../annotations/annotation-query';
import { GROUND_TRUTH } from '../annotations/annotation-view';
import type { Shape, ShownAnnotation } from '../annotations/shapes';
import type { PictureAnnotations } from '../annotations/use-annotations';
import { allowedAttributes, type Attributes } from '../describing/set-attributes';
import { useOpenMedia } from '../open-media';
import { newId, newSaid, saidOf, saysTheSame, withShape, type Change, type Edit, type Said } from './edit';
import { editQueue, NoRoomError } from './edit-queue';
import { useNextFrame } from './use-next-frame';

type MediaDetail = components['schemas']['MediaDetail'];

const { annotating: words } = texts;

export const TOOLS = ['select', 'box', 'polygon', 'keypoints', 'brush', 'eraser', 'take'] as const;
export type Tool = (typeof TOOLS)[number];

type LabelSet = components['schemas']['LabelSet'];
type Skeleton = components['schemas']['AnnotationSource']['skeletons'][number];

export interface EditMode {
  readonly tool: Tool;
  /** Once more, it begins another shape. */
  readonly onTool: (tool: Tool) => void;
  /** The diameter of the brush in pixels of the picture; null until it was chosen. */
  readonly brush: number | null;
  readonly onBrush: (diameter: number) => void;
  /** The source that is edited, and others that can be. */
  readonly source: string;
  readonly sources: readonly string[];
  readonly onSource: (source: string) => void;
  readonly selected: ShownAnnotation | undefined;
  /** What is selected belongs to the source that is edited. */
  readonly isOwn: boolean;
  readonly select: (key: string | null) => void;
  /** Of new keypoints: that of the label before, otherwise the first one of any source; undefined if there is none. */
  readonly skeleton: Skeleton | undefined;
  /** A new shape that has no label yet. */
  readonly waiting: Shape | null;
  /** Saves a new shape, with the label of the one before. */
  readonly draw: (shape: Shape) => void;
  readonly giveUpWaiting: () => void;
  readonly reshape: (shape: Shape) => void;
  readonly describe: (attributes: Attributes) => void;
  /** Of the new shape, of the selected one, or of the whole picture. */
  readonly label: (label: string) => void;
  /** The labels that the dataset wants; a hot key labels in the same way, or chooses the label of the next shape while one is drawn. */
  readonly labelSet: LabelSet['labels'];
  readonly onHotKey: (label: string) => void;
  /** Of the next shapes; empty before the first one. */
  readonly nextLabel: string;
  readonly remove: (annotation: ShownAnnotation) => void;
  /** Takes what another source says over, unless it was taken over already. */
  readonly copy: (annotation: ShownAnnotation) => void;
  /** The selected shape, otherwise all of the source that is edited; undefined unless the picture is a frame. */
  readonly copyToNextFrame: (() => void) | undefined;
  readonly undo: (() => void) | undefined;
  readonly redo: (() => void) | undefined;
  readonly end: () => void;
}

export interface Editing {
  /** Null while the picture is only shown. */
  readonly mode: EditMode | null;
  /** Undefined where nothing can be edited. */
  readonly begin: (() => void) | undefined;
}

const NO_LABELS: LabelSet['labels'] = [];

interface Of {
  readonly datasetId: string;
  readonly media: MediaDetail | undefined;
  readonly annotations: PictureAnnotations;
  readonly snapshotId: string | undefined;
}

/** Whether and how what sources say about a picture is edited. It stays from one picture to the next. */
export function useEditMode(of: Of): Editing {
  const { datasetId, media, annotations, snapshotId } = of;
  const [isOn, setIsOn] = useState(false);
  const isListed = useDatasets().data !== undefined;
  const mayChange = useMayChange(datasetId) && isListed;
  const mayEdit = mayChange && snapshotId === undefined && media?.type === 'IMAGE';
  const mode = useMode(of, () => {
    setIsOn(false);
    annotations.onHighlight({ kept: null, passing: null });
  });
  const copyToNextFrame = useNextFrame({ datasetId, media, mode, all: annotations.all, make: added });
  return {
    mode: isOn && mayEdit ? { ...mode, copyToNextFrame } : null,
    begin: mayEdit ? () => setIsOn(true) : undefined,
  };
}

function useMode({ datasetId, media, annotations }: Of, end: () => void): Omit<EditMode, 'copyToNextFrame'> {
  const [lastLabel, setLastLabel] = useState('');
  const [waiting, setWaiting] = useState<Shape | null>(null);
  const { sources, source, onSource, skeletons } = useEditedSource(datasetId);
  const skeleton = skeletons.find((each) => each.label === lastLabel) ?? skeletons[0];
  const set = useQuery(labelSetQuery(datasetId)).data;
  const mediaId = media?.media_id ?? '';
  const { all } = annotations;
  const { select, selected, isOwn } = useSelection(annotations, source);
  const { tool, ...tools } = useTool(() => select(null));
  const make = (...changes: Change[]) => added({ datasetId, mediaId, source, changes });
  const create = (said: Said) => {
    make({ id: said.id, before: null, after: said, seen: null });
    if (said.shape !== null) select(withKey({ media_id: mediaId, source, id: said.id }).key);
  };
  const change = (annotation: ShownAnnotation, after: Said | null) => make(changeOf(annotation, after));
  const label = (name: string) => {
    if (waiting === null && selected === undefined) {
      create(newSaid(newId(), name, null));
      return;
    }
    setLastLabel(name);
    if (waiting !== null) create(newSaid(newId(), name, waiting));
    else if (selected !== undefined && selected.label !== name) change(selected, { ...saidOf(selected), label: name });
    setWaiting(null);
  };
  return {
    ...{ tool, source, sources, onSource, selected, isOwn, select, skeleton, waiting, label },
    ...{ ...tools, end, labelSet: set?.labels ?? NO_LABELS, nextLabel: lastLabel },
    onHotKey: (name) => {
      if (tool !== 'select' && waiting === null) {
        setLastLabel(name);
        toast({ text: words.nextLabel(name) });
      } else if (selected === undefined || isOwn) label(name);
    },
    draw: (shape) => {
      const name = shape.type === 'keypoints' && skeleton !== undefined ? skeleton.label : lastLabel;
      if (name === '') setWaiting(shape);
      else create(newSaid(newId(), name, shape));
    },
    giveUpWaiting: () => setWaiting(null),
    reshape: (shape) => selected !== undefined && isOwn && change(selected, withShape(saidOf(selected), shape)),
    describe: (attributes) => selected !== undefined && isOwn && change(selected, { ...saidOf(selected), attributes }),
    remove: (annotation) => change(annotation, null),
    copy: (annotation) => takeOver(copyOf(annotation, source, set), { all, source, create, select }),
    ...useUndo(datasetId, mediaId),
  };
}

function useSelection({ highlight, onHighlight, all }: PictureAnnotations, source: string) {
  const select = (key: string | null) => onHighlight({ kept: key, passing: null });
  const selected = highlight.kept === null ? undefined : all.find(({ key }) => key === highlight.kept);
  return { select, selected, isOwn: selected?.source === source };
}

function useTool(beginAgain: () => void): Pick<EditMode, 'tool' | 'onTool' | 'brush' | 'onBrush'> {
  const [tool, setTool] = useState<Tool>('select');
  const [brush, onBrush] = useState<number | null>(null);
  const onTool = (next: Tool) => {
    if (next === tool && next !== 'select') beginAgain();
    setTool(next);
  };
  return { tool, onTool, brush, onBrush };
}

interface TakenTo extends Pick<EditMode, 'source' | 'select'> {
  readonly all: readonly ShownAnnotation[];
  readonly create: (said: Said) => void;
}

function takeOver(said: Said, { all, source, create, select }: TakenTo): void {
  const same = all.find((each) => each.source === source && saysTheSame({ ...saidOf(each), id: said.id }, said));
  if (same === undefined) create(said);
  else select(same.key);
}

const changeOf = (annotation: ShownAnnotation, after: Said | null): Change => ({
  ...{ id: annotation.id, before: saidOf(annotation), after, seen: annotation.version },
});

/** With what a closed label set allows. */
function copyOf(annotation: ShownAnnotation, source: string, set: LabelSet | undefined): Said {
  const said = { ...saidOf(annotation), id: newId(), confidence: null };
  return source === GROUND_TRUTH ? { ...said, attributes: allowedAttributes(set, said.label, said.attributes) } : said;
}

function added(edit: Edit): void {
  try {
    editQueue.add(edit);
  } catch (error) {
    if (!(error instanceof NoRoomError)) throw error;
    toast({ text: words.noRoom, isFailure: true });
  }
}

/** Of what this person did in the dataset; the picture that changes is shown. */
function useUndo(datasetId: string, mediaId: string): Pick<EditMode, 'undo' | 'redo'> {
  const open = useOpenMedia();
  const { steps } = useSyncExternalStore(editQueue.subscribe, editQueue.read);
  const offered = (step: Edit | undefined, take: () => Edit | undefined) =>
    step?.datasetId !== datasetId
      ? undefined
      : () => {
          const edit = take();
          if (edit !== undefined && edit.mediaId !== mediaId) open(edit.mediaId, { replace: true });
        };
  return {
    undo: offered(steps.done.at(-1), () => editQueue.undo()),
    redo: offered(steps.undone.at(-1), () => editQueue.redo()),
  };
}

/** What models found in the table has no time of its making, and stays as it is. */
function useEditedSource(datasetId: string) {
  const [chosen, onSource] = useState(GROUND_TRUTH);
  const { data = [] } = useQuery(sourcesQuery(datasetId));
  const names = data.filter(({ created_at: at }) => at !== null).map(({ name }) => name);
  const sources = [GROUND_TRUTH, ...names.filter((name) => name !== GROUND_TRUTH)];
  const source = sources.includes(chosen) ? chosen : GROUND_TRUTH;
  const ofSource = data.find(({ name }) => name === source)?.skeletons ?? [];
  const skeletons = [...ofSource, ...data.flatMap((each) => (each.name === source ? [] : each.skeletons))];
  return { sources, source, onSource, skeletons };
}
