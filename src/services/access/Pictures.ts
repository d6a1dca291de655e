import { Effect, Option } from "effect"
import { PayloadTooLarge } from "../../../schema/RequestErrors.ts"
import { ImageInvalid } from "../../../schema/access/AccessErrors.ts"
import { Images } from "../../ports/access/Images.ts"
import type { ImageType } from "../../ports/access/Images.ts"
import { Secrets } from "../../ports/access/Secrets.ts"

export interface PictureLimits {
  /** What the picture is, with its article: "An icon". */
  readonly subject: string
  readonly maxBytes: number
  /** Largest width and height in pixels. */
  readonly maxSide: number
  readonly types: ReadonlyArray<ImageType>
}

const names: Record<ImageType, string> = {
  "image/png": "PNG",
  "image/jpeg": "JPEG",
  "image/webp": "WebP",
  "image/gif": "GIF"
}

const inWords = (types: ReadonlyArray<ImageType>) =>
  types
    .map((type) => names[type])
    .join(", ")
    .replace(/, (?=[^,]*$)/, " or ")

/** Looks at uploaded pictures. Asks for no permission: its callers do. */
export class Pictures extends Effect.Service<Pictures>()("services/access/Pictures", {
  effect: Effect.gen(function* () {
    const images = yield* Images
    const secrets = yield* Secrets

    /** The picture with the type that its bytes tell and a tag that names its content, or why it is refused. */
    const inspect = Effect.fnUntraced(function* (bytes: Uint8Array, limits: PictureLimits) {
      const { subject, maxBytes, maxSide, types } = limits
      if (bytes.length > maxBytes) {
        return yield* Effect.fail(new PayloadTooLarge({ message: `${subject} may have at most ${maxBytes} bytes` }))
      }
      const image = yield* images.inspect(bytes)
      if (Option.isNone(image) || !types.includes(image.value.type)) {
        return yield* Effect.fail(new ImageInvalid({ message: `Send a ${inWords(types)} image` }))
      }
      const { type, width, height } = image.value
      if (width > maxSide || height > maxSide) {
        const message = `${subject} may have at most ${maxSide} pixels a side; this one has ${width} x ${height}`
        return yield* Effect.fail(new ImageInvalid({ message }))
      }
      return { contentType: type, bytes, tag: secrets.digest(bytes) }
    })

    return { inspect } as const
  })
}) {}
