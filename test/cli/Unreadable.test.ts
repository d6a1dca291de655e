import { SystemError } from "@effect/platform/Error"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { filesOf } from "../../src/cli/ImportFiles.ts"
import { csvMapping } from "../../src/cli/ImportMapping.ts"
import { openSource } from "../../src/cli/ImportSource.ts"
import { unreadable } from "../../src/cli/Unreadable.ts"
import { withFolder } from "../support/Server.ts"

const failure = (
  effect: Effect.Effect<unknown, { readonly message: string }, NodeContext.NodeContext>,
  variables: Readonly<Record<string, string>> = {}
) =>
  effect.pipe(
    Effect.flip,
    Effect.map(({ message }) => message),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables)))),
    Effect.provide(NodeContext.layer),
    Effect.runPromise
  )

describe("a file that cannot be read is named as it was looked for, with the reason", () => {
  it("where there is none", async () => {
    const said = `Cannot read ${resolve("none.csv")}: there is none of that name (ENOENT)`
    assert.strictEqual(await failure(filesOf(["none.csv"])), said)
    assert.strictEqual(await failure(filesOf(["none.csv"]), { INIT_CWD: resolve() }), said)
  })

  it("where npm runs the command in another folder than the one in which somebody named the file", async () => {
    const variables = { INIT_CWD: "/home/ada" }
    const advice = `. npm runs this in ${resolve()}, not in /home/ada: give the whole path`
    assert.strictEqual(
      await failure(filesOf(["none.csv"]), variables),
      `Cannot read ${resolve("none.csv")}: there is none of that name (ENOENT)${advice}`
    )
    assert.strictEqual(
      await failure(csvMapping("none.json"), variables),
      `Cannot read the mapping ${resolve("none.json")}: there is none of that name (ENOENT)${advice}`
    )
    assert.notInclude(await failure(filesOf([resolve("none.csv")]), variables), "npm")
  })

  it("where it is a folder, or is to lie in what is none", () =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, "file"), "")
      const inFile = join(folder, "file", "x.csv")
      assert.strictEqual(
        await failure(filesOf([inFile])),
        `Cannot read ${inFile}: what its path names as a folder is none (ENOTDIR)`
      )
      assert.strictEqual(await failure(openSource(folder, false)), `Cannot read ${folder}: it is a folder (EISDIR)`)
      assert.strictEqual(
        await failure(csvMapping(folder)),
        `Cannot read the mapping ${folder}: it is a folder (EISDIR)`
      )
    }))

  it("where this user may not, and where nothing else is known than what the system says", async () => {
    const said = (code: string, description: string) =>
      unreadable("/x.csv").pipe(
        Effect.map((told) =>
          told(
            new SystemError({
              reason: "Unknown",
              module: "FileSystem",
              method: "stat",
              description,
              cause: Object.assign(new Error(description), { code })
            })
          )
        ),
        Effect.provide(NodeContext.layer),
        Effect.runPromise
      )
    assert.strictEqual(await said("EACCES", "x"), "/x.csv: this user may not read it (EACCES)")
    assert.include(await said("EODD", "the moon is full"), "the moon is full")
  })
})
