import type { Json, Path } from "../../domain/configuration/Document.ts"
import { get, isObject } from "../../domain/configuration/Document.ts"
import type { Answer } from "../api/Wire.ts"
import { linkIn, meets } from "./Draft.ts"

type PlayerConfiguration = Answer<"players.configuration">
type Change = PlayerConfiguration["changes"][number]

export interface SetValue {
  readonly path: Path
  /** Undefined where an experiment took it out. */
  readonly value: Json | undefined
  /** What an experiment did to it, or to a value around it; null where it is the base's. */
  readonly change: Change | null
}

const leavesOf = (value: Json, path: Path): ReadonlyArray<readonly [path: Path, value: Json]> =>
  isObject(value) && linkIn(value) === null && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]))
    : [[path, value]]

/** Every value of a player's configuration with what set it, and after them what was taken out. Later changes win. */
export const setBy = ({ configuration, changes }: PlayerConfiguration): ReadonlyArray<SetValue> => {
  const changeOf = (path: Path): Change | null => {
    const found = changes.findLast((each) => each.path.length <= path.length && meets(each.path, path))
    if (found === undefined) return null
    // The base's value of an object around it says nothing of this value.
    return found.path.length === path.length ? found : { path: found.path, experimentId: found.experimentId }
  }
  const values = Object.keys(configuration).length === 0 ? [] : leavesOf(configuration, [])
  return [
    ...values.map(([path, value]) => ({ path, value, change: changeOf(path) })),
    ...changes
      .filter(({ path }) => get(configuration, path) === undefined)
      .map((change) => ({ path: change.path, value: undefined, change }))
  ]
}
