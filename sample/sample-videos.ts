import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { Canvas, hsl, Scene } from './drawing';
import { drawBalloon, drawBoat, drawFish } from './families/sea-and-sky';
import { drawCar } from './families/town';
import { SeededRandom } from './seeded-random';

const run = promisify(execFile);
const WIDTH = 480;
const HEIGHT = 360;
const FRAMES_PER_SECOND = 25;

interface Film {
  readonly name: string;
  readonly seconds: number;
  readonly sky: string;
  readonly ground: string;
  /** Where the ground begins, as a fraction of the height. */
  readonly horizon: number;
  readonly sprite: (canvas: Canvas, random: SeededRandom) => void;
  /** ffmpeg expressions of t, seconds. */
  readonly x: string;
  readonly y: string;
}

const FILMS: readonly Film[] = [
  {
    name: 'boat passing',
    seconds: 6,
    sky: hsl(200, 60, 82),
    ground: hsl(208, 65, 38),
    horizon: 0.5,
    sprite: (c, r) => drawBoat(c, r, 5, 140, 150),
    x: '(W-w)*t/6',
    y: '90+8*sin(2*t)',
  },
  {
    name: 'fish swimming',
    seconds: 5,
    sky: hsl(186, 66, 42),
    ground: hsl(42, 48, 56),
    horizon: 0.88,
    sprite: (c, r) => drawFish(c, r, 5, 40, 150),
    x: '(W-w)*(1-t/5)',
    y: '120+70*sin(1.5*t)',
  },
  {
    name: 'balloon rising',
    seconds: 8,
    sky: hsl(214, 75, 62),
    ground: hsl(100, 42, 40),
    horizon: 0.85,
    sprite: (c, r) => drawBalloon(c, r, 80, 5, 150),
    x: '150+40*sin(t)',
    y: '(H-h)*(1-t/8)',
  },
  {
    name: 'car driving',
    seconds: 4,
    sky: hsl(205, 28, 80),
    ground: hsl(220, 5, 34),
    horizon: 0.55,
    sprite: (c, r) => drawCar(c, r, 5, 120, 150),
    x: '(W-w)*t/4',
    y: '150',
  },
];

/** Makes the sample's videos. Returns their paths, and the reason if ffmpeg cannot make them. */
export async function makeVideos(folder: string, seed: number): Promise<{ paths: string[]; note: string | null }> {
  try {
    await run('ffmpeg', ['-version']);
  } catch {
    return { paths: [], note: 'No videos: ffmpeg is not on the PATH.' };
  }
  const paths: string[] = [];
  const parts = join(folder, '.film-parts');
  await mkdir(parts, { recursive: true });
  await mkdir(join(folder, 'videos'), { recursive: true });
  try {
    for (const film of FILMS) {
      const path = `videos/${film.name}.mp4`;
      await makeFilm(film, parts, join(folder, path), new SeededRandom(`${seed} ${film.name}`));
      paths.push(path);
    }
    return { paths, note: null };
  } catch (error) {
    await rm(join(folder, 'videos'), { recursive: true, force: true });
    return {
      paths: [],
      note: `No videos: ffmpeg could not make them (${error instanceof Error ? error.message.slice(0, 200) : 'unknown reason'}).`,
    };
  } finally {
    await rm(parts, { recursive: true, force: true });
  }
}

async function makeFilm(film: Film, parts: string, target: string, random: SeededRandom): Promise<void> {
  const backdrop = join(parts, 'backdrop.png');
  const sprite = join(parts, 'sprite.png');
  const canvas = new Canvas(160, 160);
  film.sprite(canvas, random);
  await writePng(sprite, canvas.finish(film.name, []));
  await writePng(backdrop, drawBackdrop(film, random));
  const rate = String(FRAMES_PER_SECOND);
  await run('ffmpeg', [
    '-nostdin',
    '-loglevel',
    'error',
    '-y',
    '-threads',
    '2',
    '-loop',
    '1',
    '-framerate',
    rate,
    '-t',
    String(film.seconds),
    '-i',
    backdrop,
    '-loop',
    '1',
    '-framerate',
    rate,
    '-t',
    String(film.seconds),
    '-i',
    sprite,
    '-filter_complex',
    `[0][1]overlay=x='${film.x}':y='${film.y}':shortest=1,format=yuv420p`,
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-crf',
    '23',
    '-g',
    String(FRAMES_PER_SECOND * 2),
    '-movflags',
    '+faststart',
    target,
  ]);
}

function drawBackdrop(film: Film, random: SeededRandom): Scene {
  const canvas = new Canvas(WIDTH, HEIGHT);
  const ground = HEIGHT * film.horizon;
  canvas.background(film.sky).rect(0, ground, WIDTH, HEIGHT, film.ground);
  for (let i = 0; i < 40; i++)
    canvas.rect(
      random.between(0, WIDTH),
      random.between(ground, HEIGHT),
      random.between(6, 26),
      3,
      '#fff',
      'opacity="0.35"',
    );
  for (let i = 0; i < 5; i++)
    canvas.ellipse(
      random.between(0, WIDTH),
      random.between(10, ground * 0.5),
      random.between(15, 45),
      9,
      '#fff',
      'opacity="0.5"',
    );
  return canvas.finish(film.name, []);
}

async function writePng(path: string, scene: Scene): Promise<void> {
  await writeFile(path, await sharp(Buffer.from(scene.svg)).png().toBuffer());
}
