import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { mintPersonalToken, openStudio } from "../support/access/Studio.ts"
import { readJson, writeJson } from "../support/configuration/RemoteFiles.ts"
import { fetchRequest, gamekeeper, startServer, withFolder } from "../support/Server.ts"

describe("configuration as code at the built server", () => {
  it("is planned with the exit code 2, applied, and planned with 0", () =>
    withFolder(async (folder) => {
      const server = await startServer(join(folder, "data"), ["--sign-up", "open"])
      const request = fetchRequest(server.url)
      const studio = await openStudio(request, "ada")
      const permissions = ["organization:read", "projects:read", "configurations:read", "configurations:write"]
      const token = await mintPersonalToken(request, studio, { permissions })
      const files = join(folder, "files")
      writeJson(files, "configurations/shop.json", { name: "Shop", configuration: { price: 10 } })
      const run = (...args: ReadonlyArray<string>) =>
        gamekeeper([...args, "--url", server.url, "--dir", files, "--only", "configurations"], {
          GAMEKEEPER_TOKEN: token
        }).ended

      const planned = await run("plan", "--json")
      assert.strictEqual(planned.code, 2, planned.err)
      assert.strictEqual(JSON.parse(planned.out).changes[0].name, "Shop")
      const unasked = await run("apply")
      assert.strictEqual(unasked.code, 1)
      assert.match(unasked.err, /give --yes/)
      const applied = await run("apply", "--yes")
      assert.strictEqual(applied.code, 0, applied.err)
      assert.match(applied.out, /1 change applied/)
      assert.strictEqual((await run("plan")).code, 0)
      const pulled = await run("pull")
      assert.strictEqual(pulled.code, 0, pulled.err)
      assert.deepStrictEqual(readJson(files, "configurations/shop.json").configuration, { price: 10 })
      const refused = await gamekeeper(["plan", "--url", server.url, "--dir", files], { GAMEKEEPER_TOKEN: token }).ended
      assert.strictEqual(refused.code, 1)
      assert.match(refused.err, /FORBIDDEN/)
      assert.notInclude(refused.err + refused.out, token)
      await server.stop()
    }))
})
