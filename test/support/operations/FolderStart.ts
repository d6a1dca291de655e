import { NodeContext } from "@effect/platform-node"
import { Cause, Effect, Exit, Layer } from "effect"
import { examine } from "../../../src/adapters/sqlite/operations/Doctor.ts"
import { folderStores } from "../Folder.ts"

/** Why a start on the folder is refused; null where it is not. */
export const start = async (folder: string): Promise<string | null> => {
  const exit = await Effect.runPromiseExit(Effect.scoped(Layer.build(folderStores(folder))).pipe(Effect.asVoid))
  if (Exit.isSuccess(exit)) return null
  const error = Cause.squash(exit.cause)
  return error instanceof Error ? error.message : String(error)
}

/** What the doctor says is not well with the folder. */
export const doctorOn = (folder: string) =>
  Effect.runPromise(Effect.provide(examine(folder, false, 400), NodeContext.layer)).then((all) =>
    all.filter(({ isGood }) => !isGood).map(({ text }) => text)
  )
