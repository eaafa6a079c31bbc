import sharp, { type Sharp } from 'sharp';

export interface Picture {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** A value from 0 to 1, which differs for each call. */
type Chance = () => number;

const light: Readonly<Record<string, Copying>> = {
  'scale 0.5': ({ bytes, width }) => sharp(bytes).resize(Math.max(1, Math.round(width / 2))),
  'JPEG q30': async ({ bytes }) => sharp(await sharp(bytes).jpeg({ quality: 30 }).toBuffer()),
  'brightness +20 %, colour': ({ bytes }) => sharp(bytes).modulate({ brightness: 1.2, saturation: 1.2 }),
};

const heavy: Readonly<Record<string, Copying>> = {
  mirror: ({ bytes }) => sharp(bytes).flop(),
  'rotation 5°': turned,
  'crop 10 %': ({ bytes, width, height }, chance) => {
    const [cropWidth, cropHeight] = [Math.max(1, Math.round(width * 0.9)), Math.max(1, Math.round(height * 0.9))];
    const left = Math.floor(chance() * (width - cropWidth + 1));
    const top = Math.floor(chance() * (height - cropHeight + 1));
    return sharp(bytes).extract({ left, top, width: cropWidth, height: cropHeight });
  },
};

type Copying = (picture: Picture, chance: Chance) => Sharp | Promise<Sharp>;

/** Typical changes of pictures by people and programs that do not change the subject; the light ones come first. */
const COPIES = { ...light, ...heavy };
export const COPY_KINDS = Object.keys(COPIES);
export const LIGHT_COPIES = Object.keys(light).length;

/** The picture and its copies in the order of COPY_KINDS, as JPEG files. */
export async function withCopies(picture: Picture, chance: Chance): Promise<Buffer[]> {
  const changed = await Promise.all(Object.values(COPIES).map(async (copy) => copy(picture, chance)));
  return Promise.all([sharp(picture.bytes), ...changed].map((image) => image.jpeg({ quality: 90 }).toBuffer()));
}

/** Keeps the size, with black corners, like most programs that rotate pictures. */
async function turned({ bytes, width, height }: Picture): Promise<Sharp> {
  const { data, info } = await sharp(bytes)
    .rotate(5, { background: '#000' })
    .png()
    .toBuffer({ resolveWithObject: true });
  const [left, top] = [Math.floor((info.width - width) / 2), Math.floor((info.height - height) / 2)];
  return sharp(data).extract({ left, top, width, height });
}
