import { Option, Schema } from "effect"
import type { CohortId } from "../Ids.ts"

const Text = Schema.compose(
  Schema.StringFromBase64Url,
  Schema.parseJson(Schema.Tuple(Schema.Literal("members"), Schema.Int, Schema.String))
)
const decode = Schema.decodeOption(Text)
const encode = Schema.encodeSync(Text)

/** Reads a cursor; none if the text is not one that `memberCursorText` wrote for the same cohort. */
export const memberPlaceOf = (text: string, cohortId: CohortId): Option.Option<string> =>
  Option.flatMap(decode(text), ([, asked, unitId]) => (asked === cohortId ? Option.some(unitId) : Option.none()))

/** The unit after which the next page of a cohort's members begins, as an opaque base64url text. */
export const memberCursorText = (unitId: string, cohortId: CohortId): string => encode(["members", cohortId, unitId])
