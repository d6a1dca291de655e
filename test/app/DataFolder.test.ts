import { assert, describe, it } from "@effect/vitest"
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gamekeeper, startServer, withFolder } from "../support/Server.ts"

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

const modesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder).map((name) => `${name} ${modeOf(join(folder, name))}`)

describe("the data folder", () => {
  it("D5: only the server's own user can open it and its files, also where they were open before", () =>
    withFolder(async (parent) => {
      const folder = join(parent, "data")
      mkdirSync(folder)
      chmodSync(folder, 0o755)
      const server = await startServer(folder)
      assert.strictEqual(modeOf(folder), "700")
      const modes = modesIn(folder)
      assert.isAtLeast(modes.length, 3)
      assert.deepStrictEqual(
        modes.filter((each) => !each.endsWith(" 600")),
        []
      )
      await server.stop()

      chmodSync(folder, 0o755)
      chmodSync(join(folder, "metadata.sqlite"), 0o644)
      const warned = await gamekeeper(["doctor", "--data", folder]).ended
      assert.strictEqual(warned.code, 1)
      assert.match(warned.out, /Other users of this machine can open [^\n]*metadata\.sqlite/)

      await (await startServer(folder)).stop()
      assert.deepStrictEqual([modeOf(folder), modeOf(join(folder, "metadata.sqlite"))], ["700", "600"])
      assert.strictEqual((await gamekeeper(["doctor", "--data", folder]).ended).code, 0)
    }))

  it("keeps its permissions where it holds what is not the server's, as /tmp does, and the server's files are closed", () =>
    withFolder(async (folder) => {
      chmodSync(folder, 0o755)
      writeFileSync(join(folder, "notes.txt"), "not the server's", { mode: 0o644 })
      const server = await startServer(folder)
      assert.deepStrictEqual([modeOf(folder), modeOf(join(folder, "notes.txt"))], ["755", "644"])
      assert.strictEqual(modeOf(join(folder, "metadata.sqlite")), "600")
      assert.match(server.output().err, /holds other things too, such as notes\.txt, so its permissions are left/)
      await server.stop()
      const looked = await gamekeeper(["doctor", "--data", folder]).ended
      assert.strictEqual(looked.code, 0)
      assert.include(looked.out, "holds other things too, such as notes.txt")
    }))

  it("D4: the reference at /docs loads nothing from anywhere else, and says so to the browser", () =>
    withFolder(async (folder) => {
      const server = await startServer(join(folder, "data"))
      const answer = await fetch(`${server.url}/docs`)
      const policy = answer.headers.get("content-security-policy") ?? ""
      assert.match(policy, /^default-src 'none'; script-src 'sha256-[^;]+'; /)
      assert.notMatch(policy, /https?:|\*/)
      assert.include(await answer.text(), '"withDefaultFonts":false')
      await server.stop()
    }))
})
