import { assert, describe, it } from "@effect/vitest"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { imageVariables, instructions } from "../support/Dockerfile.ts"
import { eventually, isServed } from "../support/Npm.ts"
import { root, withFolder } from "../support/Server.ts"

/** The image is one of Linux: what it runs needs a shell as systems of that kind have. */
const shells = process.platform === "win32" ? [] : ["/bin/sh"]
const withSecrets = join(root, "deploy", "with-secrets.sh")

describe("deploy/with-secrets.sh", () => {
  const program = [process.execPath, "--eval", "console.log(process.env.PGPASSWORD, process.env.PGPASSWORD_FILE)"]
  const run = (shell: string, file: string) =>
    spawnSync(shell, [withSecrets, ...program], { env: { ...process.env, PGPASSWORD_FILE: file }, encoding: "utf8" })

  it.each(shells)("hands the content of files to the program, and starts nothing without it (%s)", (shell) =>
    withFolder(async (place) => {
      const file = join(place, "secret")
      const missing = run(shell, file)
      assert.deepStrictEqual([missing.status, missing.stdout], [1, ""])
      assert.include(missing.stderr, `PGPASSWORD_FILE is ${file}, which this user cannot read`)
      writeFileSync(file, "")
      assert.include(run(shell, file).stderr, "which is empty")
      writeFileSync(file, `a "b" $c 'd'\n`)
      const { status, stdout, stderr } = run(shell, file)
      assert.deepStrictEqual([status, stdout], [0, `a "b" $c 'd' undefined\n`], stderr)
    })
  )
})

describe("secrets in files", () => {
  const names = [
    ...["GAMEKEEPER_METADATA", "GAMEKEEPER_EVENTS", "GAMEKEEPER_EVENTS_PASSWORD", "PGPASSWORD", "CLICKHOUSE_PASSWORD"],
    ...["GAMEKEEPER_METRICS_TOKEN", "GAMEKEEPER_ADMIN_PASSWORD", "GAMEKEEPER_OIDC_CLIENT_SECRET", "GAMEKEEPER_SMTP"],
    ...["GAMEKEEPER_OTLP_HEADERS", "GAMEKEEPER_S3_ACCESS_KEY_ID", "GAMEKEEPER_S3_SECRET_ACCESS_KEY"],
    ...["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]
  ]
  it.each(shells.flatMap((shell) => names.map((name) => [name, shell] as const)))("%s is read (%s)", (name, shell) =>
    withFolder(async (place) => {
      const file = join(place, "secret")
      writeFileSync(file, "smtps://ada:a%40b@mail.example\n")
      const program = [process.execPath, "--eval", `console.log(process.env.${name})`]
      const env = { ...process.env, [`${name}_FILE`]: file }
      const { stdout, stderr } = spawnSync(shell, [withSecrets, ...program], { env, encoding: "utf8" })
      assert.strictEqual(stdout, "smtps://ada:a%40b@mail.example\n", stderr)
    })
  )
})

describe("What the image holds", () => {
  it.each(shells)("serves, passes its own check, and ends well when it is told to (%s)", () =>
    withFolder(async (place) => {
      const image = join(place, "gamekeeper")
      const driver = join("node_modules", "better-sqlite3")
      mkdirSync(join(image, "node_modules"), { recursive: true })
      // The driver that the image takes needs a newer Node than the one that may run this.
      symlinkSync(join(root, driver), join(image, driver), "junction")
      for (const copy of instructions("COPY").filter((each) => each.startsWith("--from=build "))) {
        const [target = "", ...sources] = copy.split(" ").slice(1).toReversed()
        for (const source of sources.map((each) => each.replace("/gamekeeper/", ""))) {
          const name = target.endsWith("/") ? join(target, basename(source)) : target
          if (!source.startsWith(driver)) cpSync(join(root, source), join(image, name), { recursive: true })
        }
      }
      const token = join(place, "token")
      writeFileSync(token, "t".repeat(48))
      const variables = Object.fromEntries(imageVariables.split(" ").map((each) => each.split("=")))
      const here = { GAMEKEEPER_DATA: join(place, "data"), GAMEKEEPER_PORT: "0", GAMEKEEPER_METRICS_TOKEN_FILE: token }
      const env = { ...process.env, ...variables, ...here }
      const list = (name: string): ReadonlyArray<string> =>
        JSON.parse(instructions(name)[0] ?? "[]").map((each: string) => each.replace(/^\/gamekeeper/, image))
      const [command = "", ...rest] = [...list("ENTRYPOINT"), ...list("CMD")]
      const server = spawn(command, rest, { cwd: image, env })
      let out = ""
      server.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()))
      server.stderr.on("data", (chunk: Buffer) => (out += chunk.toString()))
      const ended = once(server, "exit")
      try {
        const found = await eventually("it listens", () => {
          assert.isNull(server.exitCode, out)
          return /listening on http:\/\/\S+:(\d+)/.exec(out)?.[1]
        })
        const url = `http://127.0.0.1:${found}`
        assert.isTrue(await isServed(url))
        assert.strictEqual((await fetch(url, { headers: { accept: "text/html" } })).status, 200)
        const headers = { authorization: `Bearer ${"t".repeat(48)}` }
        assert.strictEqual((await fetch(`${url}/metrics`, { headers })).status, 200)
        const [check = ""] = instructions("HEALTHCHECK")
        const [program = "", ...args]: ReadonlyArray<string> = JSON.parse(check.slice(check.indexOf("[")))
        const checked = (at: string) =>
          once(spawn(program, args, { env: { ...env, GAMEKEEPER_PORT: at } }), "exit").then(([code]) => code)
        assert.strictEqual(await checked(found), 0)
        assert.strictEqual(await checked("1"), 1)
      } finally {
        server.kill("SIGTERM")
      }
      assert.deepStrictEqual(await ended, [0, null], out)
    })
  )
})
