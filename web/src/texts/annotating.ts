import { counted } from './format';

const edits = (count: number): string => counted(count, 'edit', 'edits');

const theMask = (label: string): string => (label === '' ? 'the new mask' : `the mask ${label}`);

/** How shapes and labels of a picture are edited. */
export const annotating = {
  begin: 'Edit',
  end: 'Done',
  tools: 'Tools',
  toolNames: {
    select: 'Select and move (V)',
    box: 'Box (B)',
    polygon: 'Polygon (P)',
    keypoints: 'Keypoints (K)',
    brush: 'Brush of a mask (M)',
    eraser: 'Eraser of a mask (E)',
    take: 'Take over what other sources say (T)',
  },
  brushSize: 'Size of the brush',
  pixels: (count: number) => `${count} px`,
  undo: 'Undo (Ctrl Z)',
  redo: 'Redo (Ctrl Y)',
  saved: 'All saved',
  saving: (count: number) => `${edits(count)} to save`,
  surface: 'The picture, to draw on',
  hints: {
    select:
      'N selects the next shape. Arrows move it, full stop and comma choose a handle, Delete removes it, L labels it.',
    box: 'Arrows move the cross, Space puts a corner.',
    polygon: 'Arrows move the cross, Space puts a point, Enter closes the polygon.',
    keypoints: 'Arrows move the cross, Space puts a point, S leaves one out, Enter ends.',
    brush: 'Arrows move the brush, Space lowers and lifts it, [ and ] change its size.',
    eraser: 'Arrows move the eraser, Space lowers and lifts it, [ and ] change its size.',
    take: 'Arrows move the cross, Space copies the shape of another source at it. O selects the next one, C copies it.',
  },
  selected: (label: string, source: string) => `${label} of ${source} is selected`,
  nextPoint: (names: readonly string[], drawn: number) =>
    names.length === 0
      ? `Point ${drawn + 1}. Enter ends.`
      : `${names[drawn] ?? drawn + 1}, ${drawn + 1} of ${names.length}. S leaves it out, Enter ends.`,
  brush: (mask: string | null, size: number) =>
    mask === null
      ? `Begins a new mask. Brush of ${size} px.`
      : `Adds to ${theMask(mask)}; M begins another one. Brush of ${size} px.`,
  eraser: (mask: string | null, size: number) =>
    mask === null ? 'Press on the mask to erase from.' : `Takes from ${theMask(mask)}. Eraser of ${size} px.`,
  polygonOfMask: (mask: string) =>
    `The polygon is added to ${theMask(mask)}; Shift at its end takes it away. P begins a new polygon.`,
  take: (source: string) => `Press on a shape of another source: it is copied to ${source}.`,
  maskTooLarge: 'The mask has too many details to be saved.',
  panel: 'Editing',
  source: 'Source that is edited',
  label: 'Label',
  labelOfNew: 'Label of the new shape',
  labelOfPicture: 'Label of the whole picture',
  labelsOfPicture: 'Labels of the whole picture',
  labelSet: 'Labels of the label set',
  remove: 'Delete',
  removeLabel: (label: string) => `Remove ${label}`,
  saidBy: (label: string, source: string, confidence: string | null) =>
    `${label}${confidence === null ? '' : ` ${confidence}`}, by ${source}`,
  copyTo: (source: string) => `Copy to ${source}`,
  copyToNextFrame: (isOne: boolean) => (isOne ? 'Copy to the next frame (F)' : 'Copy all shapes to the next frame (F)'),
  copiedToFrame: (count: number) =>
    count === 0
      ? 'The next frame has these shapes already.'
      : `${counted(count, 'shape', 'shapes')} copied to this frame.`,
  lastFrame: 'This is the last frame of its video.',
  nextLabel: (label: string) => `The next shapes are labelled ${label}.`,
  noRoom: 'This browser has no room for more unsaved edits. Wait until the service is reachable again.',
  away: (count: number) => `The service is not reachable. ${edits(count)} will be saved when it is back.`,
  hindered: (count: number, reason: string) => `${edits(count)} not saved yet: ${reason}`,
  again: 'Try again',
  discard: 'Discard the first edit',
  conflict: {
    title: 'Somebody else changed this annotation',
    text: (by: string | null) =>
      by === null
        ? 'It is different from what you saw when you changed it.'
        : `It was made by ${by}, and changed since you saw it.`,
    mine: 'Yours',
    theirs: 'Stored now',
    removed: 'Removed',
    keepMine: 'Keep mine',
    keepTheirs: 'Keep theirs',
  },
  keys: [
    ['E', 'Edit the picture'],
    ['V, B, P, K', 'Select, draw a box, a polygon, keypoints'],
    ['M, E', 'Brush and eraser of a mask; once more begins another mask'],
    ['[, ], Alt with the wheel', 'Size of the brush'],
    ['Shift Enter', 'Take a polygon from the selected mask'],
    ['L', 'Label the selected shape, or the whole picture'],
    ['A', 'The attributes of what is selected'],
    ['A hot key of the label set', 'That label; of the next shapes while one is drawn'],
    ['N, Shift N', 'The next, the previous shape'],
    ['O, Shift O', 'The next, the previous shape of other sources'],
    ['Arrows', 'Move the shape, a handle or the cross; farther with Shift'],
    ['Alt with an arrow', 'Resize a box'],
    ['Full stop, comma', 'Choose a handle'],
    ['[, ]', 'Rotate a box'],
    ['Space, Enter', 'Put a point, close the polygon'],
    ['S, H', 'Leave a keypoint out, hide the chosen one'],
    ['C', 'Copy what another source says: what is selected, or is under the pointer'],
    ['T', 'Copy with each press on a shape of another source'],
    ['F', 'Copy the selected shape, or all, to the next frame of the video'],
    ['Delete', 'Remove the shape, or a point of it'],
    ['Ctrl Z, Ctrl Y', 'Undo, redo'],
    ['Escape', 'One step back, then end'],
  ],
} as const;
