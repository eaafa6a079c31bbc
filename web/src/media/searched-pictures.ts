interface KnownPicture {
  readonly src: string;
  readonly isPart: boolean;
}

/** The pictures that this page uploaded, to show the searched one. */
const pictures = new Map<string, KnownPicture>();

export const pictureOf = (anchorId: string): KnownPicture | undefined => pictures.get(anchorId);

export const rememberPicture = (anchorId: string, picture: KnownPicture): void => void pictures.set(anchorId, picture);
