import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { spawnSync } from "node:child_process"
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gamekeeper, removeFolder, root, settle, withFolder } from "../support/Server.ts"

const marker = JSON.stringify({ timestamp: Date.now(), eventName: "Level", distinctId: "ann" })

/**
 * The command, run so that the permissions of files bind it. Root may write any file, so it gives up that capability: it keeps the right
 * to reach this repository, which may lie in a folder of root's alone.
 */
const withoutRootsRights = (command: ReadonlyArray<string>): ReadonlyArray<string> =>
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override", ...command] : command

/** What the log of changes tells, of all organizations. */
const auditedIn = (file: string): ReadonlyArray<object> => {
  const database = new Database(file, { readonly: true })
  const contents = database.prepare("select content from audit_entries order by number").pluck().all()
  database.close()
  return contents.map((content) => {
    const { operation, outcome, reason, environmentId, changes } = JSON.parse(String(content))
    const after = changes.map(({ path, after: value }: Record<string, string>) => [path, value])
    return { operation, outcome, reason, environmentId, changes: Object.fromEntries(after) }
  })
}

/** A folder that has an organization, a project and its environments. */
const home = mkdtempSync(join(tmpdir(), "gamekeeper-"))
beforeAll(async () => assert.strictEqual((await settle(home)).code, 0))
afterAll(() => removeFolder(home))

/** A copy of it within the folder. */
const settled = (folder: string, name = "settled"): string => {
  const data = join(folder, name)
  cpSync(home, data, { recursive: true })
  return data
}

describe("commands", () => {
  it("I11: import reads standard input wherever - stands among its options", () =>
    withFolder(async (folder) => {
      for (const args of [
        ["-", "--environment", "1"],
        ["--environment", "production", "-"]
      ]) {
        const data = settled(folder, args[0])
        const command = gamekeeper(["import", ...args, "--data", data])
        command.process.stdin?.end(`${marker}\n`)
        const { code, out, err } = await command.ended
        assert.deepStrictEqual(
          [code, out.split("\n")[0]],
          [0, "1 record: 1 marker imported, 0 duplicates, 0 stale, 0 rejected"],
          err
        )
        assert.deepStrictEqual(auditedIn(join(data, "metadata.sqlite")), [
          {
            operation: "environments.importMarkers",
            outcome: "done",
            reason: "gamekeeper import, by the operator of the server",
            environmentId: 1,
            changes: { records: "1", imported: "1", duplicates: "0", stale: "0", rejected: "0" }
          }
        ])
      }
    }))

  it("import refuses an environment that is not there, of which no marker could be seen", () =>
    withFolder(async (folder) => {
      const command = gamekeeper(["import", "-", "--environment", "7", "--data", settled(folder, "other")])
      command.process.stdin?.end(`${marker}\n`)
      const { code, err } = await command.ended
      assert.notStrictEqual(code, 0)
      assert.include(err, "Environment 7 does not exist here")
      const rejected = gamekeeper(["import", "-", "--environment", "production", "--data", settled(folder)])
      rejected.process.stdin?.end("no marker\n{}\n")
      const all = await rejected.ended
      assert.strictEqual(all.code, 1, all.err)
      assert.include(all.out, "2 records: 0 markers imported, 0 duplicates, 0 stale, 2 rejected")
      assert.include(all.err, "Every record was rejected: --rejected FILE")
    }))

  it("a data folder whose name is mistyped is told as none, and import makes none", () =>
    withFolder(async (folder) => {
      const data = join(folder, "dta")
      const file = join(folder, "one.ndjson")
      writeFileSync(file, `${marker}\n`)
      const imported = await gamekeeper(["import", file, "--environment", "production", "--data", data]).ended
      assert.strictEqual(imported.code, 1)
      assert.include(imported.err, `There is no data folder ${data}: --data names that of the server`)
      assert.isFalse(existsSync(data))
      const migrate = async () => (await gamekeeper(["migrate", "--data", data]).ended).out.trim()
      assert.strictEqual(await migrate(), `There was no data folder ${data}: an empty one was made, of this version`)
      assert.strictEqual(await migrate(), `The data folder ${data} is up to date`)
    }))

  it("I11: a public address that is none is refused before anything is written", () =>
    withFolder(async (folder) => {
      const data = join(folder, "data")
      for (const address of [
        "not a url",
        "play.example.com",
        "ftp://example.com",
        "https://a.example/?b=1",
        "https://u:p@a.example"
      ]) {
        const { code, out, err } = await gamekeeper(["--data", data, "--port", "0", "--public-url", address]).ended
        assert.strictEqual(code, 1, address)
        // What holds a password is not repeated.
        const said = address.includes("@") ? /what was given is not printed/ : /, and not \S/
        assert.match(out + err, /--public-url must be an http or https address /)
        assert.match(out + err, said)
        assert.notInclude(out + err, "u:p")
      }
      const { code } = await gamekeeper(["--data", data, "--port", "0"], { GAMEKEEPER_PUBLIC_URL: "not a url" }).ended
      assert.strictEqual(code, 1)
      assert.isFalse(existsSync(data))
    }))

  it("I11: the doctor fails for a format that is too new, in either file", () =>
    withFolder(async (folder) => {
      await gamekeeper(["migrate", "--data", folder]).ended
      const doctor = () => gamekeeper(["doctor", "--data", folder]).ended
      assert.strictEqual((await doctor()).code, 0)
      const change = (file: string, sql: string) => {
        const database = new Database(join(folder, file))
        database.exec(sql)
        database.close()
      }
      change("metadata.sqlite", "insert into effect_sql_migrations (migration_id, name) values (999, 'tomorrow')")
      change("events.sqlite", "pragma user_version = 99")
      const { code, out } = await doctor()
      assert.strictEqual(code, 1)
      assert.match(
        out,
        /BAD {2}metadata\.sqlite has format 999, this version knows \d+ and older ones: upgrade gamekeeper/
      )
      assert.match(
        out,
        /BAD {2}events\.sqlite has format 99, this version knows \d+ and older ones: upgrade gamekeeper/
      )
    }))

  it("what cannot be is refused in plain words", () =>
    withFolder(async (folder) => {
      const file = join(folder, "file")
      writeFileSync(file, "")
      const weak = { GAMEKEEPER_ADMIN_PASSWORD: "password", GAMEKEEPER_PASSWORD_STRENGTH: "1" }
      const cases: ReadonlyArray<readonly [args: ReadonlyArray<string>, said: RegExp]> = [
        [["doctor", "--data", file], /^BAD {2}\S+file is no folder: --data names the data folder$/m],
        [
          ["doctor", "--data", folder, "--deep", "--accept"],
          /Give one of --deep and --accept at a time: nothing was done/
        ],
        [["mcp", "--url", "nonsense", "--token", "x"], /--url must be an http or https address .*, and not nonsense/],
        [["create-admin", "--email", "ada", "--data", folder], /--email: ada is no e-mail address/],
        [
          ["create-admin", "--email", "ada@x.de", "--name", "  ", "--data", folder],
          /--name must be 1 to 100 characters, not only spaces/
        ],
        [["create-admin", "--email", "ada@x..de", "--data", folder], /--email: ada@x..de is no e-mail address/],
        ...["backup", "repair"].map((name): readonly [ReadonlyArray<string>, RegExp] => [
          [name, "--data", join(root, "package.json"), "--to", join(folder, "to")],
          /^gamekeeper: a file is in the place of a folder in \S+metadata\.sqlite \(ENOTDIR\)$/m
        ]),
        [
          ["create-admin", "--email", "ada@studio.test", "--data", join(folder, "data")],
          /^gamekeeper: (?!PasswordTooWeak)/m
        ]
      ]
      for (const [args, said] of cases) {
        const command = gamekeeper(args, weak)
        command.process.stdin?.end()
        const { code, out, err } = await command.ended
        assert.strictEqual(code, 1, args.join(" "))
        assert.match(out + err, said)
      }
    }))

  it("I11: the doctor fails for a file that this user cannot write", () =>
    withFolder(async (folder) => {
      await gamekeeper(["migrate", "--data", folder]).ended
      for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644)
      chmodSync(join(folder, "events.sqlite"), 0o444)
      chmodSync(folder, 0o777)
      const [command, ...args] = withoutRootsRights([
        process.execPath,
        join(root, "dist/main.mjs"),
        "doctor",
        "--data",
        folder
      ])
      const { status, stdout } = spawnSync(command ?? "", args, { encoding: "utf8" })
      assert.strictEqual(status, 1)
      assert.match(stdout, /BAD {2}This user cannot write [^\n]*events\.sqlite[^\n]*: start the server as their owner/)

      // SQLite makes files beside a sound database even to read it.
      for (const name of readdirSync(folder)) if (/-(wal|shm)$/.test(name)) rmSync(join(folder, name))
      chmodSync(folder, 0o555)
      const other = spawnSync(command ?? "", args, { encoding: "utf8" })
      const begun = spawnSync(command ?? "", [...args.slice(0, -3), "migrate", "--data", folder], { encoding: "utf8" })
      chmodSync(folder, 0o700)
      assert.match(begun.stderr, /The data folder \S+ cannot be written: this user cannot write into \S+ \(EACCES\)/)
      assert.match(
        other.stdout,
        /metadata\.sqlite [^\n]* cannot be read: this user cannot write into [^\n]* \(EACCES\)/
      )
      assert.notInclude(other.stdout, "put back both files")
    }))

  it("back up and export a folder that can be read alone, as a snapshot of a disk is, or say what keeps them from it", () =>
    withFolder(async (folder) => {
      const [data, to] = [join(folder, "data"), join(folder, "to")]
      const open = ["metadata.sqlite", "events.sqlite"].map((name) => new Database(join(home, name)))
      for (const database of open) database.prepare("select count(*) from sqlite_schema").get()
      cpSync(home, data, { recursive: true })
      for (const database of open) database.close()
      assert.includeMembers(readdirSync(data), ["metadata.sqlite-wal", "metadata.sqlite-shm"])
      for (const name of readdirSync(data)) chmodSync(join(data, name), 0o444)
      chmodSync(data, 0o555)
      const run = (name: string) => {
        const line = [process.execPath, join(root, "dist/main.mjs"), name, "--data", data, "--to", join(to, name)]
        const [command = "", ...args] = withoutRootsRights(line)
        return spawnSync(command, args, { encoding: "utf8" })
      }
      const backup = run("backup")
      assert.strictEqual(backup.status, 0, backup.stderr)
      assert.match(backup.stdout, /is complete and was read back/)
      assert.strictEqual(run("export-all").status, 0)

      chmodSync(data, 0o755)
      for (const name of readdirSync(data)) if (/-(wal|shm)$/.test(name)) rmSync(join(data, name))
      chmodSync(data, 0o555)
      for (const name of ["backup", "export-all"])
        assert.match(run(name).stderr, /metadata\.sqlite cannot be read: this user cannot write into \S+ \(EACCES\)\n$/)
      chmodSync(data, 0o755)
    }))
})
