import { Option, Schema } from "effect"
import type { ListingCursor } from "../question/Question.ts"

const Text = Schema.compose(
  Schema.StringFromBase64Url,
  Schema.parseJson(Schema.Tuple(Schema.Int, Schema.NonNegativeInt, Schema.NonNegativeInt))
)
const decode = Schema.decodeOption(Text)
const encode = Schema.encodeSync(Text)

/** Reads a cursor; none if `cursorText` did not write the text. */
export const cursorOf = (text: string): Option.Option<ListingCursor> =>
  Option.map(decode(text), ([timestamp, sequence, asOf]) => ({ timestamp, sequence, asOf }))

/** The cursor as an opaque base64url text. */
export const cursorText = ({ timestamp, sequence, asOf }: ListingCursor): string => encode([timestamp, sequence, asOf])
