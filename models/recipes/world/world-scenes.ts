import { Canvas, capital, type Paint } from '../../../sample/drawing';
import type { SeededRandom } from '../../../sample/seeded-random';
import { backdrop, drawWeather, PLACES, type Place, type Time, type Weather } from './places';
import { groupPhrase, withArticle, type Group, type KnownObject, type KnownScene } from './scene';
import { CAR, type Spot, type Thing } from './things';

/** A part of the picture, in fractions of its size. */
interface Region {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Arrangement {
  /** The text between the two groups, or after a single one. */
  readonly words: string;
  readonly regions: readonly Region[];
}

const TIME_WORDS: Readonly<Record<Time, string>> = { day: '', night: ' at night', sunset: ' at sunset' };
const WEATHER_WORDS: Readonly<Record<Weather, string>> = {
  clear: '',
  rain: ' in the rain',
  snowfall: ' in falling snow',
  fog: ' in the fog',
};

const part = (left: number, top: number, width: number, height: number): Region => ({ left, top, width, height });
const LEFT = part(0.02, 0.08, 0.46, 0.84);
const RIGHT = part(0.52, 0.08, 0.46, 0.84);
const UPPER = part(0.05, 0.03, 0.9, 0.44);
const LOWER = part(0.05, 0.52, 0.9, 0.45);
const WHOLE = part(0.04, 0.04, 0.92, 0.92);
const CORNERS: readonly Arrangement[] = [
  { words: ' in the top left corner', regions: [part(0.02, 0.02, 0.36, 0.36)] },
  { words: ' in the top right corner', regions: [part(0.62, 0.02, 0.36, 0.36)] },
  { words: ' in the bottom left corner', regions: [part(0.02, 0.62, 0.36, 0.36)] },
  { words: ' in the bottom right corner', regions: [part(0.62, 0.62, 0.36, 0.36)] },
];

/** A scene generated from the grammar: one or two groups of objects, their arrangement, the place, the time and the weather. */
export function drawWorldScene(random: SeededRandom): KnownScene {
  const canvas = Canvas.of(random);
  const isBackdrop = random.chance(0.3);
  const { place, taken } = isBackdrop ? onBackdrop(random) : { place: random.pick(PLACES), taken: null };
  const time: Time = place.hasWeather && random.chance(0.5) ? random.pick(['night', 'sunset']) : 'day';
  const weather: Weather = place.hasWeather && random.chance(0.4) ? random.pick(['rain', 'snowfall', 'fog']) : 'clear';
  const horizon = place.draw(canvas, random, time);
  const choices = chooseGroups(random, place, taken);
  const arrangement = arrange(random, place, choices, horizon);
  const objects: KnownObject[] = [];
  for (const [at, choice] of choices.entries()) {
    const before = canvas.objects.length;
    drawGroup(canvas, random, choice, arrangement.regions[at]!);
    const phrase = withArticle(`${choice.paint.name} ${choice.thing.kind}`);
    objects.push(...canvas.objects.slice(before).map((object) => ({ ...object, phrase })));
  }
  if (time === 'night') canvas.rect(0, 0, canvas.width, canvas.height, '#0a0f3c', 'opacity="0.3"');
  drawWeather(canvas, random, weather);
  const groups = choices.map(asGroup);
  const [first, second] = groups.map(groupPhrase);
  const subject = second === undefined ? `${first!}${arrangement.words}` : `${first!} ${arrangement.words} ${second}`;
  const caption = capital(`${subject} ${place.words}${TIME_WORDS[time]}${WEATHER_WORDS[weather]}`);
  const labels = [...new Set([...choices.map(({ thing }) => thing.kind), ...place.labels, time, weather])];
  return {
    drawing: canvas.finish(caption, [], random.between(2, 8)),
    caption,
    otherCaptions: others(groups, place, arrangement.words, time, weather),
    labels: labels.filter((label) => label !== 'day' && label !== 'clear'),
    groups,
    objects,
  };
}

interface Choice {
  readonly thing: Thing;
  readonly paint: Paint;
  readonly count: number;
}

const asGroup = ({ thing: { kind, plural }, paint, count }: Choice): Group => ({
  kind,
  plural,
  count,
  colours: [paint.name],
});

function onBackdrop(random: SeededRandom): { readonly place: Place; readonly taken: Paint } {
  const { place, paint } = backdrop(random);
  return { place, taken: paint };
}

function chooseGroups(random: SeededRandom, place: Place, taken: Paint | null): Choice[] {
  const isPair = random.chance(0.5);
  const choices: Choice[] = [];
  while (choices.length < (isPair ? 2 : 1)) {
    const thing = random.pick(place.things);
    const paint = random.pick(thing.colours.filter(({ name }) => name !== taken?.name));
    if (choices.some((other) => other.thing === thing && (place.isGround || other.paint === paint))) {
      if (new Set(place.things).size === 1) break;
      continue;
    }
    choices.push({ thing, paint, count: random.pick(isPair ? [1, 1, 2, 3] : [1, 1, 2, 3, 4, 5]) });
  }
  return choices;
}

/** Objects on the ground are only placed left and right of each other. */
function arrange(random: SeededRandom, place: Place, choices: readonly Choice[], horizon: number): Arrangement {
  if (choices.length === 1) {
    const isSmall = place.things.length > 3 && !place.isGround && choices[0]!.count === 1 && random.chance(0.5);
    if (isSmall) return random.pick(CORNERS);
    return { words: '', regions: [place.isGround ? onGround(WHOLE, horizon) : WHOLE] };
  }
  if (!place.isGround && random.chance(0.5)) {
    const isAbove = random.chance(0.5);
    return { words: isAbove ? 'above' : 'below', regions: isAbove ? [UPPER, LOWER] : [LOWER, UPPER] };
  }
  const isLeft = random.chance(0.5);
  const sides = (isLeft ? [LEFT, RIGHT] : [RIGHT, LEFT]).map((side) =>
    place.isGround ? onGround(side, horizon) : side,
  );
  return { words: isLeft ? 'to the left of' : 'to the right of', regions: sides };
}

/** Reaches from above the horizon to the lower edge, so that objects overlap the horizon. */
const onGround = ({ left, width }: Region, horizon: number): Region => ({
  left,
  width,
  top: horizon - 0.25,
  height: 0.97 - (horizon - 0.25),
});

/** Arranges the objects in a grid with cells as square as the region allows. */
function drawGroup(canvas: Canvas, random: SeededRandom, { thing, paint, count }: Choice, region: Region): void {
  const [width, height] = [region.width * canvas.width, region.height * canvas.height];
  const columns = [1, 2, 3, 4, 5]
    .filter((each) => each <= count)
    .map((each) => ({ each, cell: Math.min(width / each, height / Math.ceil(count / each)) }))
    .reduce((best, other) => (other.cell > best.cell ? other : best)).each;
  const rows = Math.ceil(count / columns);
  const [cellWidth, cellHeight] = [width / columns, height / rows];
  const largest = Math.min(cellWidth, cellHeight) * 0.94;
  for (let at = 0; at < count; at++) {
    const drawn = Math.max(Math.min(34, largest), largest * random.between(count === 1 ? 0.45 : 0.65, 1));
    // Cars are flat.
    const size = thing === CAR ? Math.min(drawn * 1.25, cellWidth) : drawn;
    const row = Math.floor(at / columns);
    const inRow = Math.min(columns, count - row * columns);
    const shift = ((columns - inRow) * cellWidth) / 2;
    const spot: Spot = {
      left: region.left * canvas.width + shift + (at % columns) * cellWidth + random.next() * (cellWidth - size),
      top: region.top * canvas.height + row * cellHeight + random.next() * Math.max(0, cellHeight - size),
      size,
    };
    thing.draw(canvas, random, spot, paint);
  }
}

/** The same content in other words and another order. */
function others(groups: readonly Group[], place: Place, relation: string, time: Time, weather: Weather): string[] {
  const phrases = groups.map(groupPhrase);
  const all = `${phrases.join(` ${relation} `)}${groups.length === 1 ? relation : ''}`;
  const around = `${TIME_WORDS[time]}${WEATHER_WORDS[weather]}`.trim();
  const start = around === '' ? '' : `${around}, `;
  return [
    `${start}${all} ${place.words}`,
    `a picture of ${all} ${place.words} ${around}`.trim(),
    `${place.words} ${all} ${around}`.trim(),
  ];
}
