import type { Pixels } from '../picture-model';
import type { RotatedRectangle } from './rotated-rectangle';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A line of text as model input: three planes of -1..1, padded with 0 to the right. */
export interface LinePicture extends Size {
  readonly values: Float32Array;
}

/**
 * Cuts a rectangle out of a picture and turns it upright, by bilinear samples. A pixel of a line that is reduced is the mean of several samples.
 */
export function cutLine(picture: Pixels, rectangle: RotatedRectangle, { width, height }: Size): LinePicture {
  const [cos, sin] = [Math.cos(rectangle.angle), Math.sin(rectangle.angle)];
  const [stepX, stepY] = [rectangle.width / width, rectangle.height / height];
  const [perX, perY] = [samplesFor(stepX), samplesFor(stepY)];
  const share = 1 / (perX * perY * 127.5);
  const plane = width * height;
  const values = new Float32Array(3 * plane);
  const sums = new Float64Array(3);
  for (let at = 0; at < plane; at++) {
    const [left, top] = [at % width, Math.floor(at / width)];
    sums.fill(0);
    for (let sample = 0; sample < perX * perY; sample++) {
      const across = (left + ((sample % perX) + 0.5) / perX) * stepX - rectangle.width / 2;
      const down = (top + (Math.floor(sample / perX) + 0.5) / perY) * stepY - rectangle.height / 2;
      addSample(picture, rectangle.x + across * cos - down * sin, rectangle.y + across * sin + down * cos, sums);
    }
    for (let channel = 0; channel < 3; channel++) values[channel * plane + at] = sums[channel]! * share - 1;
  }
  return { values, width, height };
}

const MAX_SAMPLES = 8;

const samplesFor = (step: number): number => Math.min(MAX_SAMPLES, Math.max(1, Math.round(step)));

/** The models were trained on blue, green and red. Beyond the picture its edge goes on. */
function addSample({ data, width, height }: Pixels, x: number, y: number, sums: Float64Array): void {
  const [inX, inY] = [within(x - 0.5, width), within(y - 0.5, height)];
  const [column, row] = [Math.floor(inX), Math.floor(inY)];
  const [partX, partY] = [inX - column, inY - row];
  const right = column + 1 < width ? 3 : 0;
  const below = row + 1 < height ? width * 3 : 0;
  const first = (row * width + column) * 3;
  for (let channel = 0; channel < 3; channel++) {
    const at = first + 2 - channel;
    const upper = data[at]! * (1 - partX) + data[at + right]! * partX;
    const lower = data[at + below]! * (1 - partX) + data[at + below + right]! * partX;
    sums[channel]! += upper * (1 - partY) + lower * partY;
  }
}

const within = (place: number, size: number): number => Math.min(size - 1, Math.max(0, place));
