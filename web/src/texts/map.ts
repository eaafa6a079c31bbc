import { counted, formatNumber } from './format';

const COLOURINGS = {
  cluster: 'Cluster',
  label: 'Label',
  tag: 'Tag',
  issue: 'Issue',
  batch: 'Batch',
  none: 'Nothing',
};

export const map = {
  title: 'Map',
  skip: 'Skip to the map',
  note: (count: number) => counted(count, 'medium', 'media'),
  canvas: 'Map of the dataset: similar media are near each other',
  keys: 'Arrows move, plus and minus zoom, 0 shows all. Enter opens the medium in the middle. L draws an area; Shift with arrows makes a rectangle and resizes it, Enter takes it, Escape gives it up.',
  colour: 'Colour by',
  colourings: COLOURINGS,
  tools: 'The map',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Show the whole map',
  draw: 'Draw an area',
  drawing: 'Draw around media to choose them. Escape gives up.',
  rectangle: 'Arrows move the rectangle, Shift with arrows resizes it. Enter takes it, Escape gives it up.',
  explore: 'Open in Explore',
  sample: 'This browser draws without WebGL, and so only a sample of very many points. Zoom in to see the others.',
  unplaced: (count: number) => `${counted(count, 'medium has', 'media have')} no place on the map.`,
  legend: {
    title: 'Legend',
    show: 'Show the legend',
    hide: 'Hide the legend',
    cluster: (number: string) => `Cluster ${number}`,
    clusterNamed: (name: string, number: number) => `${name} ${number}`,
    other: {
      cluster: 'Smaller clusters',
      label: 'Other labels',
      tag: 'Other tags',
      issue: 'Other issues',
      batch: 'Other batches',
      none: '',
    },
    without: { cluster: '', label: 'Without label', tag: 'Without tag', issue: 'Without issue', batch: '', none: '' },
    filter: (name: string) => `Filter by ${name}`,
    highlight: (name: string) => `Highlight ${name}`,
    several: 'A medium with several has the colour of the rarest.',
    nothing: {
      cluster: 'No clusters',
      label: 'No labels',
      tag: 'No tags',
      issue: 'No issues',
      batch: 'No batches',
      none: '',
    },
  },
  matching: {
    bar: 'What matches',
    counting: 'Counting …',
    count: (matching: number, total: number) => `${formatNumber(matching)} of ${formatNumber(total)} match`,
    failed: (why: string) => `What matches could not be chosen: ${why}`,
    none: 'Nothing matches to act on.',
  },
  summary: (points: number, colouring: keyof typeof COLOURINGS) =>
    colouring === 'none'
      ? `${counted(points, 'point', 'points')}.`
      : `${counted(points, 'point', 'points')}, coloured by ${COLOURINGS[colouring].toLowerCase()}.`,
  matchingSummary: (count: number) => `${counted(count, 'matches', 'match')} the filters.`,
  open: (name: string) => `Details of ${name}`,
  failed: (why: string) => `A part of the map could not be loaded: ${why}`,
  empty: { title: 'This dataset has none of these', text: 'It may have media of another type.' },
  old: {
    title: 'No map yet',
    text: 'This dataset was indexed before there were maps. Reindex it to make its map.',
    later:
      'This dataset was indexed before there were maps. Its map is made when it is reindexed, after media were added.',
    started: 'The dataset is being reindexed. Its map appears here afterwards.',
  },
};
