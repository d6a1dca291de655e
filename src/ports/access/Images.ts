import type { Effect, Option } from "effect"
import { Context } from "effect"

export type ImageType = "image/png" | "image/jpeg" | "image/webp" | "image/gif"

/** What the bytes of a picture say of themselves; both sides in pixels, at least 1. */
export interface Image {
  readonly type: ImageType
  readonly width: number
  readonly height: number
}

export class Images extends Context.Tag("ports/access/Images")<
  Images,
  {
    /** None where the bytes are not a PNG, JPEG, WebP or GIF picture, whatever they were called. */
    readonly inspect: (bytes: Uint8Array) => Effect.Effect<Option.Option<Image>>
  }
>() {}
