import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { backUpInto, restoreFrom } from "../../src/app/commands/BackupFiles.ts"
import { defaults } from "../../src/app/Config.ts"
import { MeaningOfStop } from "../../src/ports/operations/MeaningOfStop.ts"
import { mailServer } from "../support/access/MailServer.ts"
import { fetchRequest, gamekeeper, root, settle, startServer, withFolder } from "../support/Server.ts"

const until = async (isSo: () => boolean) => {
  const end = Date.now() + 60_000
  while (!isSo() && Date.now() < end) await new Promise((resume) => setTimeout(resume, 5))
}

/** What it means to stop the process once the work is done. */
const meaningAfter = <A, E>(work: Effect.Effect<A, E, NodeContext.NodeContext>) =>
  Effect.gen(function* () {
    const meaning = yield* Ref.make<string | null>("nothing was done")
    yield* Effect.provideService(work, MeaningOfStop, meaning)
    return yield* Ref.get(meaning)
  }).pipe(Effect.provide(NodeContext.layer), Effect.runPromise)

describe("commands that are stopped", () => {
  it("end with the number of the signal and say what it means; a server ends with 0", () =>
    withFolder(async (folder) => {
      const [data, backups] = [join(folder, "data"), join(folder, "backups")]
      assert.strictEqual((await settle(data)).code, 0)
      for (const [signal, code] of [
        ["SIGTERM", 143],
        ["SIGINT", 130]
      ] as const) {
        const load = gamekeeper(["import", "-", "--environment", "production", "--data", data])
        await until(() => existsSync(join(data, "lock-journal")))
        load.process.kill(signal)
        assert.deepStrictEqual(await load.ended, {
          code,
          out: "",
          err: `gamekeeper: stopped by ${signal}: what was stored stays, and the rest of the input was not imported\n`
        })
      }
      const backup = gamekeeper(["backup", "--data", data, "--to", backups])
      await until(() => existsSync(backups) && readdirSync(backups).length > 0)
      backup.process.kill("SIGTERM")
      const { code, out, err } = await backup.ended
      const complete = readdirSync(backups).filter((name) => name.startsWith("gamekeeper-"))
      // A command that was faster than the signal has made its backup.
      if (code === 0) return assert.match(out, new RegExp(`^${complete[0]} is complete`))
      assert.deepStrictEqual([code, complete, err], [143, [], "gamekeeper: stopped by SIGTERM: no backup was made\n"])
    }))

  it("and were killed have what an older version left in a scratch folder removed by the next one, a day later", () =>
    withFolder(async (folder) => {
      const twoDaysAgo = Date.now() / 1000 - 2 * 86_400
      for (const name of ["gamekeeper-drill-old123", "gamekeeper-drill-new123", "of-somebody-else"]) {
        mkdirSync(join(folder, name))
        writeFileSync(join(folder, name, "events.sqlite"), "")
        if (!name.includes("new")) utimesSync(join(folder, name), twoDaysAgo, twoDaysAgo)
      }
      const { code, err } = await gamekeeper(["drill", "--from", join(folder, "nowhere"), "--in", folder]).ended
      assert.strictEqual(code, 1, err)
      assert.deepStrictEqual(readdirSync(folder).sort(), ["gamekeeper-drill-new123", "of-somebody-else"])
    }))

  it("and were killed while they made a backup have the copy of it removed by the next one", () =>
    withFolder(async (folder) => {
      const [data, backups] = [join(folder, "data"), join(folder, "backups")]
      assert.strictEqual((await gamekeeper(["migrate", "--data", data]).ended).code, 0)
      const backup = ["backup", "--data", data, "--to", backups]
      const killed = gamekeeper(backup)
      const begun = () =>
        existsSync(backups) && readdirSync(backups).some((name) => existsSync(join(backups, name, "snapshot")))
      await until(begun)
      killed.process.kill("SIGSTOP")
      const beside = await gamekeeper(backup).ended
      assert.strictEqual(beside.code, 0, beside.out + beside.err)
      // The one that is stopped is not over.
      assert.strictEqual(readdirSync(backups).length, 2)
      killed.process.kill("SIGKILL")
      await killed.ended
      const next = await gamekeeper(backup).ended
      assert.strictEqual(next.code, 0, next.out + next.err)
      const names = readdirSync(backups)
      assert.isTrue(
        names.every((name) => name.startsWith("gamekeeper-")),
        names.join()
      )
      assert.deepStrictEqual(readdirSync(join(backups, names[0] ?? "")).sort(), [
        "events.sqlite.gz",
        "manifest.json",
        "metadata.sqlite.gz"
      ])
    }))

  it("and left what cannot be deleted keep no backup from being made", () =>
    withFolder(async (folder) => {
      const [data, backups] = [join(folder, "data"), join(folder, "backups")]
      assert.strictEqual((await gamekeeper(["migrate", "--data", data]).ended).code, 0)
      const left = ".unfinished-gamekeeper-2026-01-01T00-00-00-000Z"
      mkdirSync(backups)
      // No folder, so that nobody can look into it, whoever runs the test.
      writeFileSync(join(backups, left), "")
      const { code, err } = await gamekeeper(["backup", "--data", data, "--to", backups]).ended
      assert.strictEqual(code, 0, err)
      assert.include(err, `${join(backups, left)}, which a killed backup has left, cannot be deleted`)
      assert.lengthOf(readdirSync(backups), 2)
    }))

  it("know what is done already", () =>
    withFolder(async (folder) => {
      const [data, backups] = [join(folder, "data"), join(folder, "backups")]
      assert.strictEqual((await gamekeeper(["migrate", "--data", data]).ended).code, 0)
      const made = await meaningAfter(backUpInto({ data, to: backups, keep: null }, defaults))
      assert.match(made ?? "", /^the backup gamekeeper-\S+ is complete, but older ones may be there/)
      const again = join(folder, "again")
      const restored = await meaningAfter(restoreFrom({ from: backups, data: again, force: false }, defaults))
      assert.match(restored ?? "", new RegExp(`^${again} is restored from `))
    }))

  it.each([
    [["--data", "d", "--rate-limits", "off"], 0],
    [["serve", "--demo"], 0],
    [["backup", "--to", "b"], 143],
    [["--data", "d", "backup"], 143]
  ] as const)("before they are loaded: %j ends with %i", (words, code) => {
    const script = `import { stopWithParent } from "${join(root, "src", "stopping.mjs")}"
process.argv.splice(1, 0, "start.mjs")
stopWithParent()
setInterval(() => {}, 1000)
process.kill(process.pid, "SIGTERM")`
    const { status } = spawnSync(process.execPath, ["--input-type=module", "-e", script, "--", ...words])
    assert.strictEqual(status, code)
  })
})

describe("a server that is stopped", () => {
  const email = "ada@studio.example"
  const mailFrom = ["--mail-from", "live@studio.example", "--public-url", "http://127.0.0.1:4210"]

  const askAndStop = async (data: string, smtp: string) => {
    const server = await startServer(data, ["--smtp", smtp, ...mailFrom])
    const asked = await fetchRequest(server.url)("POST", "/users/auth/password-reset/mail", { body: { email } })
    assert.strictEqual(asked.status, 204)
    return await server.stop()
  }

  it("mails the links for another password that it has promised", () =>
    withFolder(async (folder) => {
      const mails = await mailServer()
      const data = join(folder, "data")
      await settle(data)
      assert.strictEqual((await askAndStop(data, mails.address)).code, 0)
      assert.deepStrictEqual(
        mails.received.map(({ to }) => to),
        [[email]]
      )
      await mails.close()
    }))

  it("says in the log that it could not mail them in time", () =>
    withFolder(async (folder) => {
      const data = join(folder, "data")
      await settle(data)
      const { code, out, err } = await askAndStop(data, "smtp://127.0.0.1:9")
      assert.strictEqual(code, 0)
      assert.include(out + err, "The server stops while mails with links for another password are on their way: 1")
    }))
})
