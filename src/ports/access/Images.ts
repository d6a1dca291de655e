import type { Effect, Option } from "effect"
import { Context } from "effect"

/** The types of images that the server takes, by media type. */
export type ImageType = "image/png" | "image/jpeg" | "image/webp" | "image/gif"

/** What an image's own bytes say about it; both sides in pixels, at least 1. */
export interface Image {
  readonly type: ImageType
  readonly width: number
  readonly height: number
}

/** Reads the type and size of images. */
export class Images extends Context.Tag("ports/access/Images")<
  Images,
  {
    /** None unless the bytes are a PNG, JPEG, WebP or GIF image, whatever type was declared for them. */
    readonly inspect: (bytes: Uint8Array) => Effect.Effect<Option.Option<Image>>
  }
>() {}
