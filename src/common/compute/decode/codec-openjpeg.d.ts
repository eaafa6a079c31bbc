declare module '@cornerstonejs/codec-openjpeg/decodewasmjs' {
  export interface J2kDecoder {
    getEncodedBuffer(bytes: number): Uint8Array;
    getDecodedBuffer(): Uint8Array;
    decode(): void;
    getFrameInfo(): {
      width: number;
      height: number;
      bitsPerSample: number;
      componentCount: number;
      isSigned: boolean;
    };
    delete(): void;
  }
  export default function openJpeg(): Promise<{ J2KDecoder: new () => J2kDecoder }>;
}
