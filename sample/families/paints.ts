import { Paint } from '../drawing';

const paint = (name: string, hue: number, saturation: number, lightness: number): Paint => ({
  name,
  hue,
  saturation,
  lightness,
});

export const RED = paint('red', 4, 72, 46);
export const ORANGE = paint('orange', 26, 88, 52);
export const YELLOW = paint('yellow', 48, 92, 55);
export const GREEN = paint('green', 130, 45, 40);
export const TEAL = paint('teal', 178, 60, 38);
export const BLUE = paint('blue', 214, 70, 48);
export const PURPLE = paint('purple', 276, 48, 46);
export const PINK = paint('pink', 334, 75, 66);
export const WHITE = paint('white', 40, 20, 92);
export const BROWN = paint('brown', 24, 45, 32);
export const GREY = paint('grey', 210, 6, 52);
export const BLACK = paint('black', 220, 12, 14);
