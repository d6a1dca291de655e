import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { builtIn } from "../../../src/http/platform/BuiltFiles.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "built-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true }))
)

const manifest = JSON.stringify([{ path: "index.html", type: "text/html", digest: "d", encodings: [] }])

describe("the files of a build", () => {
  it.scopedLive("are read at the next request where they could not be read at the first", () =>
    Effect.gen(function* () {
      const made = yield* folder
      writeFileSync(join(made, "files.json"), manifest)
      const { files } = yield* builtIn(made)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(files)))
      writeFileSync(join(made, "index.html"), "<p>")
      assert.deepStrictEqual([...(yield* files).keys()], ["/index.html"])
      rmSync(join(made, "index.html"))
      assert.deepStrictEqual([...(yield* files).keys()], ["/index.html"])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("are none where nothing was built", () =>
    Effect.gen(function* () {
      const { paths, files } = yield* builtIn(yield* folder)
      assert.deepStrictEqual([paths.size, (yield* files).size], [0, 0])
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
