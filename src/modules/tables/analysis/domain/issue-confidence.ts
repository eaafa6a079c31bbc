/** Each function is monotonic, 0 to 1, and exactly 0.5 at the public engine's threshold for the measure. */
const BLUR_CUT = 50;
const DARK_CUT = 13;
const BRIGHT_CUT = 220.5;
const WHITE = 255;

const fallingFromOne = (value: number, cut: number, steepness: number): number => 1 / (1 + (value / cut) ** steepness);

export const blurConfidence = (sharpness: number): number => fallingFromOne(sharpness, BLUR_CUT, 2);

export const darkConfidence = (meanIntensity: number): number => fallingFromOne(meanIntensity, DARK_CUT, 4);

export const brightConfidence = (meanIntensity: number): number =>
  fallingFromOne(WHITE - meanIntensity, WHITE - BRIGHT_CUT, 4);
