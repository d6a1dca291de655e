import { FastCheck } from "effect"
import type { Document, Json, Path } from "../../../src/domain/configuration/Document.ts"

/** Few keys, so that paths meet; one of them is what naive code stumbles over. */
export const key = FastCheck.constantFrom("a", "b", "c", "__proto__")

export const path: FastCheck.Arbitrary<Path> = FastCheck.array(key, { maxLength: 4 })

const scalar = FastCheck.constantFrom<Json>(null, true, 0, -0, 1, 1.5, "", "x", "é")

const { value, object } = FastCheck.letrec<{ value: Json; object: Document }>((tie) => ({
  value: FastCheck.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    tie("object"),
    FastCheck.array(tie("value"), { maxLength: 3 })
  ),
  object: FastCheck.uniqueArray(FastCheck.tuple(key, tie("value")), { selector: ([name]) => name, maxLength: 3 }).map(
    (entries): Document => Object.fromEntries(entries)
  )
}))

export const json: FastCheck.Arbitrary<Json> = value

export const document: FastCheck.Arbitrary<Document> = object
