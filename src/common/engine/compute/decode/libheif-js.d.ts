declare module 'libheif-js/wasm-bundle' {
  /** libheif's C interface; functions that return a `heif_error` take the address to write it to as their first argument. */
  const libheif: {
    /** Replaced whenever the memory grows. */
    readonly HEAPU8: Uint8Array;
    _malloc(bytes: number): number;
    _free(address: number): void;
    _heif_context_alloc(): number;
    _heif_context_free(context: number): void;
    _heif_context_read_from_memory(error: number, context: number, bytes: number, size: number, options: 0): void;
    _heif_context_get_number_of_top_level_images(context: number): number;
    _heif_context_get_list_of_top_level_image_IDs(context: number, ids: number, count: number): number;
    _heif_context_get_image_handle(error: number, context: number, id: number, handle: number): void;
    _heif_image_handle_is_primary_image(handle: number): number;
    _heif_image_handle_release(handle: number): void;
    _heif_image_handle_get_width(handle: number): number;
    _heif_image_handle_get_height(handle: number): number;
    _heif_image_handle_has_alpha_channel(handle: number): number;
    _heif_image_handle_get_raw_color_profile_size(handle: number): number;
    _heif_image_handle_get_raw_color_profile(error: number, handle: number, profile: number): void;
    _heif_image_handle_get_nclx_color_profile(error: number, handle: number, profile: number): void;
    _heif_nclx_color_profile_free(profile: number): void;
    _heif_decode_image(
      error: number,
      handle: number,
      image: number,
      colorspace: number,
      chroma: number,
      options: 0,
    ): void;
    _heif_image_get_plane_readonly(image: number, channel: number, stride: number): number;
    _heif_image_get_width(image: number, channel: number): number;
    _heif_image_get_height(image: number, channel: number): number;
    _heif_image_release(image: number): void;
  };
  export default libheif;
}
