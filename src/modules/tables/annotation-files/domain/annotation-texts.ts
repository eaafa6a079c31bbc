/** Of a filename, a label, a caption or a value: far more than people read, and few enough that thousands fit into memory. */
const MAX_TEXT_CHARACTERS = 65_536;

export const LONG_TEXT = 'a text has more than 65,536 characters';

export const isLong = (text: string): boolean => text.length > MAX_TEXT_CHARACTERS;
