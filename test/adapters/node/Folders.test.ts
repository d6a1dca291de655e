import { FileSystem } from "@effect/platform"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { makeFolder } from "../../../src/adapters/node/Folders.ts"
import { withFolder } from "../../support/Server.ts"

it("each folder that is made is on the disk with its name, and what was there is left alone", () =>
  withFolder(async (folder) => {
    const synced: Array<string> = []
    const noting = Effect.map(FileSystem.FileSystem, (files) => ({
      ...files,
      open: (path: string, options?: FileSystem.OpenFileOptions) =>
        Effect.map(files.open(path, options), (file): FileSystem.File =>
          Object.create(file, {
            sync: {
              value: Effect.zipLeft(
                file.sync,
                Effect.sync(() => synced.push(path))
              )
            }
          })
        )
    }))
    const make = (path: string) =>
      Effect.runPromise(
        makeFolder(path).pipe(
          Effect.provideServiceEffect(FileSystem.FileSystem, noting),
          Effect.provide(NodeContext.layer)
        )
      )
    await make(join(folder, "one", "two"))
    assert.deepStrictEqual(synced, [folder, join(folder, "one")])
    await make(join(folder, "one", "two"))
    assert.lengthOf(synced, 2)
  }))
