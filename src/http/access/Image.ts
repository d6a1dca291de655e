import { HttpServerResponse } from "@effect/platform"
import { noneMatchNames } from "../../domain/EntityTag.ts"

interface Image {
  readonly contentType: string
  readonly bytes: Uint8Array
  /** Names the content: another image has another tag. */
  readonly tag: string
}

/** The image with its tag; 304 to who knows it. Asked for by its tag, it never changes. */
export const image = (
  { contentType, bytes, tag }: Image,
  known: { readonly ifNoneMatch?: string | undefined; readonly version?: string | undefined }
) => {
  const headers = {
    etag: `"${tag}"`,
    "cache-control": known.version === tag ? "private, max-age=31536000, immutable" : "private, no-cache",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox"
  }
  return known.ifNoneMatch !== undefined && noneMatchNames(known.ifNoneMatch, tag)
    ? HttpServerResponse.empty({ status: 304, headers })
    : HttpServerResponse.uint8Array(bytes, { contentType, headers })
}
