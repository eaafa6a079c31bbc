import { annotating } from './annotating';
import { duplicates } from './duplicates';
import { evaluate } from './evaluate';
import { review } from './review';

/** All keys of the console, by where they are. */
export const keyboard = {
  title: 'Keyboard shortcuts',
  single: {
    label: 'Keys of one letter',
    hint: 'Letters, digits and signs do something by themselves. Without them, this list is at the foot of the navigation.',
  },
  sections: [
    {
      title: 'Every page',
      keys: [
        ['/', 'Go to the search of the page'],
        ['?', 'This list'],
        ['Tab', 'The first stops of a page lead past the navigation'],
        ['Escape', 'Close what is open'],
      ],
    },
    {
      title: 'Pictures',
      keys: [
        ['Arrows, Page Up, Page Down, Home, End', 'Move'],
        ['Enter', 'Open'],
        ['Space', 'Select, or not'],
        ['Shift with an arrow', 'Select on'],
        ['Ctrl A', 'Select all that match'],
        ['L', 'Label what is selected'],
        ['Escape', 'Select nothing'],
        ['R', 'Ask again for pictures that failed'],
      ],
    },
    {
      title: 'Details',
      keys: [
        ['←, →', 'The previous and the next medium'],
        ['+, −', 'Zoom in, zoom out'],
        ['0', 'Show all of the picture'],
        ['R', 'Rotate the view'],
        ['I, U', 'Brightness, contrast'],
      ],
    },
    { title: 'Editing a picture', keys: annotating.keys },
    { title: 'Review', keys: review.keys },
    { title: 'An evaluation', keys: evaluate.keys },
    {
      title: 'Map',
      keys: [
        ['Arrows', 'Move'],
        ['+, −', 'Zoom in, zoom out'],
        ['0', 'Show all'],
        ['Enter', 'Open the medium in the middle'],
        ['L', 'Draw an area'],
        ['Shift with an arrow', 'Make a rectangle, and resize it; arrows move it'],
        ['Enter, Escape', 'Take the rectangle, give it up'],
      ],
    },
    { title: 'Duplicates', keys: duplicates.keys.list },
    {
      title: 'A picture to search by',
      keys: [
        ['Arrows', 'Draw a box around a part, and move it'],
        ['Shift with an arrow', 'Resize it'],
        ['Delete', 'Remove it'],
      ],
    },
    {
      title: 'Filters as VQL',
      keys: [
        ['Alt with an arrow', 'Choose from what can be written'],
        ['Enter', 'Take it'],
        ['Ctrl Enter', 'Apply'],
      ],
    },
  ],
} as const;
