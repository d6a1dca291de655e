import { Effect, Layer, Option } from "effect"
import { GIF } from "image-size/types/gif"
import { JPG } from "image-size/types/jpg"
import { PNG } from "image-size/types/png"
import { WEBP } from "image-size/types/webp"
import type { Image } from "../../ports/access/Images.ts"
import { Images } from "../../ports/access/Images.ts"

const formats = [
  ["image/png", PNG],
  ["image/jpeg", JPG],
  ["image/webp", WEBP],
  ["image/gif", GIF]
] as const

const isSide = (pixels: number): boolean => Number.isInteger(pixels) && pixels >= 1

/** Measures an image. On truncated input the library either throws or answers NaN; both count as unreadable. */
const measure = Option.liftThrowable((bytes: Uint8Array): Image | undefined => {
  for (const [type, format] of formats) {
    if (!format.validate(bytes)) continue
    const { width, height } = format.calculate(bytes)
    return isSide(width) && isSide(height) ? { type, width, height } : undefined
  }
  return undefined
})

const inspect = (bytes: Uint8Array) => Effect.sync(() => Option.flatMapNullable(measure(bytes), (image) => image))

export const ImagesNode = Layer.succeed(Images, { inspect })
