import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { backUp } from "../../../src/adapters/sqlite/operations/Backup.ts"
import { laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { serverOver } from "../../support/operations/DamageWorld.ts"
import { withFolder } from "../../support/Server.ts"

const backedUp = (data: string, to: string) =>
  Effect.runPromise(backUp({ data, to, version: "1", keep: 1 }).pipe(Effect.provide(NodeContext.layer)))

const problemOf = (data: string, to: string) =>
  Effect.runPromise(
    backUp({ data, to, version: "1", keep: 1 }).pipe(
      Effect.flip,
      Effect.map(({ message }) => message),
      Effect.provide(NodeContext.layer)
    )
  )

/** Changes the metadata's file from where a text begins. */
const changeAt = (folder: string, text: string, change: (bytes: Buffer) => void) => {
  const file = join(folder, "metadata.sqlite")
  const bytes = readFileSync(file)
  const at = bytes.indexOf(text)
  assert.isAbove(at, 0, text)
  change(bytes.subarray(at))
  writeFileSync(file, bytes)
}

/** The text stays one, of the same length, so that only a checksum tells. */
const changeLetter = (bytes: Buffer) => {
  bytes[0] = (bytes[0] ?? 0) ^ 2
}

describe("backups of damaged metadata", () => {
  it("say what is damaged and leave older backups, which may have it whole", { timeout: 60_000 }, () =>
    withFolder(async (parent) => {
      const [sound, data, to] = [join(parent, "sound"), join(parent, "data"), join(parent, "backups")]
      const server = serverOver(sound)
      const { studio, configure } = await laboratoryOf(server.request, "ada")
      await configure({ name: "Balance of the game" })
      const board = { name: "What the producer reads" }
      const headers = { ...studio.cookie, environment_id: String(studio.development) }
      await server.request("POST", `/application/${studio.applicationId}/boards`, { headers, body: board })
      await server.close()
      const anew = () => {
        rmSync(data, { recursive: true, force: true })
        cpSync(sound, data, { recursive: true })
      }

      anew()
      const whole = await backedUp(data, to)
      assert.deepStrictEqual(whole.manifest.damage, [])

      changeAt(data, "What the producer reads", changeLetter)
      const page = await backedUp(data, to)
      assert.lengthOf(page.manifest.damage, 1)
      assert.match(page.manifest.damage[0] ?? "", /metadata\.sqlite: page \d+ \(boards\) is not as it was written/)
      assert.deepStrictEqual(page.removed, [])

      anew()
      rmSync(join(data, "metadata.sqlite-sums"))
      changeAt(data, "Balance of the game", changeLetter)
      const row = await backedUp(data, to)
      assert.match(row.manifest.damage.join("\n"), /^metadata\.sqlite: 1 rows of configurations \(id \d+\) are not as/)
      assert.deepStrictEqual(row.removed, [])

      anew()
      changeAt(data, "What the producer reads", (bytes) => bytes.fill(0xff, 0, 4096))
      assert.match(await problemOf(data, to), /gamekeeper doctor --deep/)
      assert.deepStrictEqual(readdirSync(to).toSorted(), [whole.name, page.name, row.name])
    })
  )
})
