export interface MediaOrigins {
  readonly baseUrl: string;
  /** Where signed links of an S3 store lead. */
  readonly s3: { readonly endpoint: string; readonly publicEndpoint?: string } | null;
}

/** What the pages of the console may load: own files, and media from where signed links lead. Nothing inline, nothing evaluated. */
export function contentPolicy({ baseUrl, s3 }: MediaOrigins): string {
  const links = [baseUrl, ...(s3 === null ? [] : [s3.publicEndpoint ?? s3.endpoint])].map((url) => new URL(url).origin);
  const media = ["'self'", ...new Set(links), 'blob:'].join(' ');
  return [
    "default-src 'self'",
    `img-src ${media}`,
    `media-src ${media}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
