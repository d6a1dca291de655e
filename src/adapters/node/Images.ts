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

/** Segments of a JPEG that may stand before the one with its size: metadata and a colour profile, in parts of at most 64 KiB. */
const mostSegments = 200

/** Marks the segment of a JPEG that tells its size: the three kinds that the library knows. */
const isFrame = (marker: number | undefined): boolean => marker === 0xc0 || marker === 0xc1 || marker === 0xc2

/**
 * Whether one segment of a JPEG leads to the next (ITU T.81, B.1.1) until the one that tells its size. Where one does not, the library goes
 * on byte by byte, which takes half a second for 4 MiB.
 */
const tellsSize = (bytes: Uint8Array): boolean => {
  let length = 4
  for (let segment = 0; segment < mostSegments; segment++) {
    const [high = 0, low = 0] = bytes.subarray(length, length + 2)
    const next = length + high * 256 + low
    if (bytes[next] !== 0xff) return false
    if (isFrame(bytes[next + 1])) return true
    length = next + 2
  }
  return false
}

const isSide = (pixels: number): boolean => Number.isInteger(pixels) && pixels >= 1

/** Measures an image. On truncated input the library either throws or answers NaN; both count as unreadable. */
const measure = Option.liftThrowable((bytes: Uint8Array): Image | undefined => {
  for (const [type, format] of formats) {
    if (!format.validate(bytes)) continue
    if (type === "image/jpeg" && !tellsSize(bytes)) return undefined
    const { width, height } = format.calculate(bytes)
    return isSide(width) && isSide(height) ? { type, width, height } : undefined
  }
  return undefined
})

const inspect = (bytes: Uint8Array) => Effect.sync(() => Option.flatMapNullable(measure(bytes), (image) => image))

export const ImagesNode = Layer.succeed(Images, { inspect })
