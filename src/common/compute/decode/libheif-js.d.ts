declare module 'libheif-js/wasm-bundle' {
  interface HeifImage {
    get_width(): number;
    get_height(): number;
    is_primary(): boolean;
    display<T extends { data: Uint8ClampedArray }>(target: T, done: (shown: T | null) => void): void;
    free(): void;
  }
  const libheif: {
    HeifDecoder: new () => {
      decode(bytes: Uint8Array): HeifImage[];
      decoder?: { delete(): void };
    };
  };
  export default libheif;
}
