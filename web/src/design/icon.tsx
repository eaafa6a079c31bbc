/** Outlines on a grid of 24, drawn with the colour of the text. */
const PATHS = {
  grid: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z',
  tile: 'M5 5h14v14H5z',
  stack: 'M12 3 3 8l9 5 9-5zM3 12l9 5 9-5M3 16l9 5 9-5',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  close: 'M6 6l12 12M18 6 6 18',
  minus: 'M5 12h14',
  text: 'M5 8V5h14v3M12 5v14M9 19h6',
  caption: 'M4 5h16v14H4zM7.5 12h4M7.5 15.5h9',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  down: 'M6 9l6 6 6-6',
  up: 'M6 15l6-6 6 6',
  gauge: 'M4 18a9 9 0 1 1 16 0M12 14l4-5M12 14h.01',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  menu: 'M4 7h16M4 12h16M4 17h16',
  filter: 'M4 6h16M7 12h10M10 18h4',
  tag: 'M4 4h8l8 8-8 8-8-8zM8.5 8.5h.01',
  download: 'M12 4v11M7 10.5l5 5 5-5M5 20h14',
  upload: 'M12 20V9M7 13.5l5-5 5 5M5 4h14',
  folder: 'M3 6h6l2 2h10v11H3z',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  share: 'M16 8a3 3 0 1 0 0-.01M8 15a3 3 0 1 0 0-.01M16 19a3 3 0 1 0 0-.01M10.5 13.5l4-3.5M10.5 16l4 1.5',
  alert: 'M12 4 2.5 20h19zM12 10v4M12 17h.01',
  image: 'M4 5h16v14H4zM8.5 10.5h.01M5 17l5-5 4 4 2-2 4 4',
  similar: 'M4 4h10v10H4zM10 10h10v10H10z',
  bookmark: 'M6 4h12v16l-6-4-6 4z',
  code: 'M9 7l-5 5 5 5M15 7l5 5-5 5',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5',
  moon: 'M20 14.5A8 8 0 1 1 9.5 4a6.5 6.5 0 0 0 10.5 10.5z',
  screen: 'M3 5h18v12H3zM9 21h6',
  book: 'M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11',
  keyboard: 'M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5M12 8h.01',
  box: 'M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4',
  video: 'M3 6h12v12H3zM15 10.5l6-3v9l-6-3z',
  play: 'M8 5l11 7-11 7z',
  copy: 'M8 8h12v12H8zM16 8V4H4v12h4',
  signOut: 'M10 4H5v16h5M9 12h11M16 7.5l4.5 4.5-4.5 4.5',
  bell: 'M6 10a6 6 0 0 1 12 0c0 5 2 6 2 7H4c0-1 2-2 2-7zM10 20.5h4',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2',
  camera: 'M4 7h4l1.5-2.5h5L16 7h4v12H4zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
  tasks: 'M4 6l1.5 1.5L8 5M4 12.5l1.5 1.5L8 11.5M4 19l1.5 1.5L8 18M12 6.5h8M12 13h8M12 19.5h8',
  restore: 'M4 5v5h5M4.6 10A8 8 0 1 1 4 14M12 8.5V13l3 1.8',
  compare: 'M4 5h6v14H4zM14 5h6v14h-6z',
  pencil: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  stop: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9 9h6v6H9z',
  again: 'M20 5v5h-5M19.4 10A8 8 0 1 0 20 14',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.2 1.2M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.2-1.2',
  sparkle: 'M12 4l1.8 5.2L19 11l-5.2 1.8L12 18l-1.8-5.2L5 11l5.2-1.8zM19 16v4M17 18h4',
  gear: 'M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.2 2.2M16.2 16.2l2.2 2.2M5.6 18.4l2.2-2.2M16.2 7.8l2.2-2.2',
  map: 'M9 4 3 6.5v13L9 17l6 2.5 6-2.5v-13L15 6.5zM9 4v13M15 6.5v13',
  lasso: 'M12 4C7 4 3 6.5 3 9.8c0 3.2 4 5.7 9 5.7s9-2.5 9-5.7C21 6.5 17 4 12 4zM7 14.5c-2 .6-2.5 3 0 3.5s1 2.5-1 3',
  contrast: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 3v18M12 8h7M12 12h9M12 16h7',
  points:
    'M6 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM18 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM10 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 6.4l8 1.2M6.6 8l2.8 8',
  pointer: 'M6 4l12 8-5.5 1.2L9.5 19z',
  polygon: 'M12 3.5l8 6-3 10H7l-3-10z',
  brush: 'M14.5 4.5 20 10l-8 6-4-4zM8 12c-4 1-2 5-5 7 4 1 8 0 9-3',
  eraser: 'M9 20h11M4 15 14 5l6 6-9 9H8z M9 10l6 6',
  take: 'M12 4v10M7.5 9.5 12 14l4.5-4.5M4 14v6h16v-6',
  undo: 'M9 14 4.5 9.5 9 5M5 9.5h9a5 5 0 0 1 0 10h-3',
  redo: 'M15 14l4.5-4.5L15 5M19 9.5h-9a5 5 0 0 0 0 10h3',
  swap: 'M7 4v16M3.5 7.5 7 4l3.5 3.5M17 20V4M13.5 16.5 17 20l3.5-3.5',
  target: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM12 12h.01',
  key: 'M8.5 20a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM11.8 12.2 20 4M16 8l3 3M13.5 10.5l2 2',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      aria-hidden="true"
      style={{ flex: 'none' }}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 3 : 1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
