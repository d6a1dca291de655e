import { FileSystem, Path } from "@effect/platform"
import { Effect } from "effect"

/** The folder in a data folder in which a restore, or a repair, gathers both files until they are complete. */
export const restoringIn = (instant: string): string => `restoring-${instant}`
export const repairing = "repairing"

const restoring = /^restoring-\d{4}-\d\d-\d\dT[\d-]+Z$/
const gathered = /^(metadata|events)\.sqlite(-\w+)?$/

/** A command that was cut off before anything of it was in its place, and what it has left in the folder. */
export interface CutOff {
  readonly command: "restore" | "repair"
  readonly name: string
}

/** What commands have left in the folder that were cut off. A folder of the same name in which anything else is belongs to somebody else. */
export const cutOffIn = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const named = (yield* files.readDirectory(folder)).flatMap((name): ReadonlyArray<CutOff> => {
    if (name === repairing) return [{ command: "repair", name }]
    return restoring.test(name) ? [{ command: "restore", name }] : []
  })
  return yield* Effect.filter(named, ({ name }) =>
    files.readDirectory(path.join(folder, name)).pipe(
      Effect.map((held) => held.every((each) => gathered.test(each))),
      Effect.orElseSucceed(() => false)
    )
  )
})

/** Removes them. To be called by whoever has the lock of the folder, for then nobody works on them. */
export const removeCutOff = Effect.fnUntraced(function* (folder: string, left: ReadonlyArray<CutOff>) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  for (const { name } of left) yield* files.remove(path.join(folder, name), { recursive: true, force: true })
})

/** What the operator does about it, in one line. */
export const describeCutOff = (folder: string, { command, name }: CutOff): string =>
  `A ${command} into ${folder} was cut off before anything was in its place: run gamekeeper ${command} again, or delete ${folder}/${name} to begin with an empty server`
