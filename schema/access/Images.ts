import { HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"
import { optional } from "../Optional.ts"
import { text } from "../Text.ts"

const formats = ["image/png", "image/jpeg", "image/webp"]

/** The smallest WebP image, one black pixel. All its bytes are ASCII, so that the document can show it as text. */
const pixel = "RIFF\u0016\0\0\0WEBPVP8L\t\0\0\0/\0\0\0\0(@D\u0004\0"

/** An image; the answer's content type says which. */
export const ImageBytes = HttpApiSchema.Uint8Array({ contentType: "image/*" })

export const ifNoneMatch = Schema.Struct({
  "if-none-match": optional(text(0, 256))
})

/** The content tag that an image's URL carries: the answer to it never changes. */
export const version = Schema.Struct({ v: optional(text(0, 256)) })

export const NotModified = Schema.Void.annotations(
  HttpApiSchema.annotations({ status: 304, description: "Unchanged since the version the caller knows" })
)

/** Request body in the document: a form with the field `file`, or the image itself. */
const upload = (formats: ReadonlyArray<string>) => ({
  requestBody: {
    required: true,
    content: {
      "multipart/form-data": {
        schema: {
          type: "object",
          required: ["file"],
          properties: { file: { type: "string", contentMediaType: "application/octet-stream" } }
        }
      },
      ...Object.fromEntries(
        formats.map((format) => [format, { schema: { type: "string", contentMediaType: format } }])
      ),
      "image/webp": { schema: { type: "string", contentMediaType: "image/webp" }, example: pixel }
    }
  }
})

export const iconUpload = upload([...formats, "image/gif"])

export const mapUpload = upload(formats)
