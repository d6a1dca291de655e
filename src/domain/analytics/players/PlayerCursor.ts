import { Option, Schema } from "effect"
import type { PlayerPlace } from "./PlayersPlan.ts"

const Text = Schema.compose(
  Schema.StringFromBase64Url,
  Schema.parseJson(Schema.Tuple(Schema.Int, Schema.Int, Schema.NonNegativeInt, Schema.String, Schema.String))
)
const decode = Schema.decodeOption(Text)
const encode = Schema.encodeSync(Text)

/** Reads a cursor; none if the text is not one that `playerCursorText` wrote for the same question; `question` is a digest of it. */
export const playerPlaceOf = (text: string, question: string): Option.Option<PlayerPlace> =>
  Option.flatMap(decode(text), ([firstSeenAt, lastSeenAt, markerCount, unitId, asked]) =>
    asked === question ? Option.some({ firstSeenAt, lastSeenAt, markerCount, unitId }) : Option.none()
  )

/** The place after which the next page begins, as an opaque base64url text, for the same question only. */
export const playerCursorText = (
  { firstSeenAt, lastSeenAt, markerCount, unitId }: PlayerPlace,
  question: string
): string => encode([firstSeenAt, lastSeenAt, markerCount, unitId, question])
