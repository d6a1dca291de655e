import { Option, Schema } from "effect"
import type { ListingCursor } from "../question/Question.ts"

const Text = Schema.compose(
  Schema.StringFromBase64Url,
  Schema.parseJson(Schema.Tuple(Schema.Int, Schema.NonNegativeInt, Schema.NonNegativeInt, Schema.String))
)
const decode = Schema.decodeOption(Text)
const encode = Schema.encodeSync(Text)

/** Reads a cursor; none if the text is not one that `cursorText` wrote for the same question; `question` is a digest of it. */
export const cursorOf = (text: string, question: string): Option.Option<ListingCursor> =>
  Option.flatMap(decode(text), ([timestamp, sequence, asOf, asked]) =>
    asked === question ? Option.some({ timestamp, sequence, asOf }) : Option.none()
  )

/** The cursor as an opaque base64url text, for the same question only. */
export const cursorText = ({ timestamp, sequence, asOf }: ListingCursor, question: string): string =>
  encode([timestamp, sequence, asOf, question])
