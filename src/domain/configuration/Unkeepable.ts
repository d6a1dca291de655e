import { textFlaw } from "../Characters.ts"
import type { Json, Path } from "./Document.ts"
import { isObject } from "./Document.ts"
import type { Flaw } from "./Soundness.ts"
import { lostKey } from "./Soundness.ts"

const ofText = (text: string, path: Path): ReadonlyArray<Flaw> => {
  const wanted = textFlaw(text)
  return wanted === undefined ? [] : [{ path, message: `expected ${wanted}` }]
}

/** What no body of a request may hold, whatever it is about: half characters, U+0000 and a field that objects of JavaScript lose. */
export const unkeepable = (value: Json, at: Path = []): ReadonlyArray<Flaw> => {
  if (typeof value === "string") return ofText(value, at)
  if (Array.isArray(value)) return value.flatMap((item: Json, place) => unkeepable(item, [...at, String(place)]))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const path = [...at, key]
    const ofKey = key === lostKey ? [{ path, message: "no field may have this name" }] : ofText(key, at)
    return [...ofKey, ...unkeepable(item, path)]
  })
}
