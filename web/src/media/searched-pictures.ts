interface KnownPicture {
  readonly src: string;
  readonly isPart: boolean;
}

/** What this page uploaded, to show what was searched by. */
const pictures = new Map<string, KnownPicture>();

export const pictureOf = (anchorId: string): KnownPicture | undefined => pictures.get(anchorId);

export const rememberPicture = (anchorId: string, picture: KnownPicture): void => void pictures.set(anchorId, picture);
