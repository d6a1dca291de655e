import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { readdirSync } from "node:fs"
import { once } from "node:events"
import { createServer as createWebServer } from "node:http"
import { createServer } from "node:net"
import { join } from "node:path"
import { defaults, settingsOf } from "../../src/app/Config.ts"
import { run } from "../../src/cli/Cli.ts"
import { ran } from "../support/CommandLine.ts"
import { withFolder } from "../support/Server.ts"

/** An address at which nobody listens. */
const nowhere = () =>
  new Promise<string>((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      server.close(() => found(`http://127.0.0.1:${port}`))
    })
  })

/** Why a command fails, as it is told. */
const refusalOf = (words: ReadonlyArray<string>, variables: Readonly<Record<string, string>> = {}) =>
  run(["node", "gamekeeper", ...words]).pipe(
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables)))),
    Effect.provide(NodeContext.layer),
    Effect.flip,
    Effect.map((error) => ("message" in error ? error.message : "")),
    Effect.runPromise
  )

describe("a command line", () => {
  it.each([
    {
      words: ["serve", "--rate-limits", "false", "--port", "abc", "--otlp-sample", "half", "--week-start=May"],
      said: [
        "gamekeeper: --rate-limits must be on or off, and not false",
        "gamekeeper: --port must be a whole number, and not abc",
        "gamekeeper: --otlp-sample must be a number, and not half",
        "gamekeeper: --week-start must be sunday, monday, tuesday, wednesday, thursday, friday or saturday, and not May"
      ]
    },
    { words: ["--prot", "80"], said: ["gamekeeper: There is no option --prot: did you mean --port?"] },
    { words: ["backup", "--too", "x"], said: ["gamekeeper: There is no option --too: did you mean --to?"] },
    {
      words: ["--data", "d", "repair"],
      said: ["gamekeeper: --to is missing: gamekeeper repair --help tells of it"]
    },
    {
      words: ["doctor", "--flog"],
      said: ["gamekeeper: There is no option --flog: gamekeeper doctor --help has those that there are"]
    },
    { words: ["serve", "--port"], said: ["gamekeeper: --port needs a value"] },
    { words: ["--host", "--data", "./data"], said: ["gamekeeper: --host needs a value, and --data is another option"] },
    { words: ["serve", "--port="], said: ["gamekeeper: --port needs a value"] },
    { words: ["export-all", "--to", ""], said: ["gamekeeper: --to needs a value"] },
    { words: ["backup", "--to", " "], said: ["gamekeeper: --to needs a value"] },
    { words: ["restore", "--from", ""], said: ["gamekeeper: --from needs a value"] },
    { words: ["drill", "--from", "b", "--in", ""], said: ["gamekeeper: --in needs a value"] },
    { words: ["export", "--url", "http://a", "--token", "t", "--dir", ""], said: ["gamekeeper: --dir needs a value"] },
    {
      words: ["serve", "--port", "99999999999999999999"],
      said: ["gamekeeper: --port must be a whole number, and not 99999999999999999999"]
    },
    { words: ["serve", "--port", "1", "--port", "2"], said: ["gamekeeper: --port is given more than once"] },
    { words: ["imprt", "f.csv"], said: ["gamekeeper: There is no command imprt: did you mean import?"] },
    {
      words: ["nosuch", "--help"],
      said: ["gamekeeper: There is no command nosuch: gamekeeper --help lists those that there are"]
    },
    { words: ["help", "restor"], said: ["gamekeeper: There is no command restor: did you mean restore?"] },
    {
      words: ["plan"],
      said: [
        "gamekeeper: Say where the server is, in GAMEKEEPER_URL or by --url, such as https://live.example.com",
        "gamekeeper: Give a personal access token in GAMEKEEPER_TOKEN, or by --token, which lists of processes show: it is made in the dashboard (Settings, My account)"
      ]
    }
  ])("$words is told all that is wrong with it", async ({ words, said }) => {
    const { isDone, out } = await ran(words)
    assert.isFalse(isDone)
    assert.deepStrictEqual(out.split("\n"), said)
  })

  const wrong: ReadonlyArray<readonly [flag: string, written: string, rule: string]> = [
    ["port", "70000", "a whole number from 0 to 65535"],
    ["port", "-5", "a whole number from 0 to 65535"],
    ["analytics-memory-mb", "0", "a whole number from 16 to 65536"],
    ["otlp-sample", "1.5", "a number from 0 to 1"],
    ["poll-limit", "5", "two whole numbers above 0, as in 2000/500"],
    ["public-url", "play.example.com", "an http or https address such as https://play.example.com"],
    ["owner", "ada", "e-mail addresses, separated by commas"],
    [
      "oidc-issuer",
      "http://login.example.com",
      "an https address such as https://login.example.com; http on this machine"
    ],
    ["otlp-signals", "spans", "some of traces, metrics, logs, separated by commas"],
    ["key-prefix", "sdk", "1 to 32 letters, digits or any of - . _, but neither sdk nor what begins with sdk_"],
    ["key-prefix", "my keys", "1 to 32 letters, digits or any of - . _"],
    ["link-schemes", "mygame,javascript:", "schemes such as mygame, separated by commas, and none that browsers run"]
  ]

  it.each(wrong)("--%s %s, and the same in its variable, is told with what is allowed", async (flag, written, rule) => {
    const { isDone, out } = await ran(["serve", `--${flag}`, written])
    assert.isFalse(isDone)
    assert.include(out, `--${flag} must be ${rule}`)
    assert.include(out, `, and not ${written}`)
    const name = `GAMEKEEPER_${flag.toUpperCase().replaceAll("-", "_")}`
    const byVariable = await ran(["serve"], { [name]: written })
    assert.isFalse(byVariable.isDone)
    assert.include(byVariable.out, `${name} must be ${rule}`)
    assert.include(byVariable.out, `, and not ${written}`)
  })

  it("is told all variables that are wrong, and no empty one", async () => {
    const { out } = await ran(["--session-days", "0"], {
      GAMEKEEPER_PORT: "abc",
      GAMEKEEPER_RATE_LIMITS: "no",
      GAMEKEEPER_WEEK_START: "May",
      GAMEKEEPER_SIGN_UP: "closed",
      GAMEKEEPER_MAX_ACCOUNTS: "",
      GAMEKEEPER_LOG_FORMAT: ""
    })
    assert.deepStrictEqual(out.split(/\n+/), [
      "GAMEKEEPER_PORT must be a whole number from 0 to 65535, and not abc",
      "--session-days must be a whole number from 1 to 400, and not 0",
      "GAMEKEEPER_SIGN_UP must be open, invited or off, and not closed",
      "GAMEKEEPER_RATE_LIMITS must be on or off, and not no",
      "GAMEKEEPER_WEEK_START must be sunday, monday, tuesday, wednesday, thursday, friday or saturday, and not May"
    ])
  })

  it("prints no secret that it refuses", async () => {
    const { out } = await ran(["--smtp", "smtps://ada:hunter2@mail.example.com/path"], {
      GAMEKEEPER_METADATA: "mysql://ada:hunter2@db/x",
      GAMEKEEPER_METRICS_TOKEN: "hunter2",
      GAMEKEEPER_OTLP_ENDPOINT: "https://ada:hunter2@collector.example.com",
      GAMEKEEPER_S3_ENDPOINT: "https://ada:hunter2@store.example.com",
      GAMEKEEPER_OIDC_ISSUER: "https://ada:hunter2@login.example.com"
    })
    const addresses = ["GAMEKEEPER_OTLP_ENDPOINT", "GAMEKEEPER_S3_ENDPOINT", "GAMEKEEPER_OIDC_ISSUER"]
    for (const name of ["--smtp", "GAMEKEEPER_METADATA", "GAMEKEEPER_METRICS_TOKEN", ...addresses]) {
      assert.include(out, `${name} must be`)
    }
    assert.notInclude(out, "hunter2")
  })

  it.each(["host", "data"])("wants --%s to be something", async (flag) => {
    const { isDone, out } = await ran(["serve", `--${flag}`, ""])
    assert.isFalse(isDone)
    assert.strictEqual(out, `--${flag} must be a text, and not empty`)
  })

  it("counts backups that are kept from one on", async () => {
    const { out } = await ran(["backup", "--to", "x", "--keep", "0"])
    assert.strictEqual(out, "--keep must be a whole number of 1 or more, and not 0")
  })

  it("finds the server's address without http wanting, and nobody at it", async () => {
    const failure = (url: string) =>
      refusalOf(["types", "--language", "typescript"], { GAMEKEEPER_URL: url, GAMEKEEPER_TOKEN: "gkp_x" })
    const away = await nowhere()
    assert.strictEqual(
      await failure(away),
      `${away} cannot be reached: nothing listens there. Is the server running, and is the port right? (ECONNREFUSED) The address is given by --url or GAMEKEEPER_URL.`
    )
    assert.match(
      await failure("http://nobody.invalid"),
      /^http:\/\/nobody\.invalid cannot be reached: .*\((ENOTFOUND|EAI_AGAIN)\)/
    )
    const proxy = createWebServer((_, response) => response.writeHead(502, { "content-type": "text/html" }).end("<p>"))
    await once(proxy.listen(0, "127.0.0.1"), "listening")
    const address = proxy.address()
    const behind = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
    assert.strictEqual(
      await failure(behind),
      `${behind} answers with the status 502, and not as Gamekeeper does: does it run behind its proxy, and is the address right? It is given by --url or GAMEKEEPER_URL.`
    )
    proxy.close()
    assert.match(await failure("127.0.0.1:4666"), /has to begin with http:\/\/ or https:\/\/: 127\.0/)
  })
})

describe("backups in a folder that is not there", () => {
  it.each(["restore", "backups", "drill"])("%s says so", (command) =>
    withFolder(async (folder) => {
      const data = command === "restore" ? ["--data", join(folder, "data")] : []
      assert.strictEqual(await refusalOf([command, "--from", "./nothere", ...data]), "There is no folder ./nothere")
    })
  )
})

describe("what the doctor changes", () => {
  it.each(["--accept", "--delete-set-aside"])("by %s is nothing where no data of a server are", (mode) =>
    withFolder(async (folder) => {
      assert.match(
        await refusalOf(["doctor", mode, "--data", folder]),
        /^\S+ holds no data of a server, neither .* restore a backup into it\. Nothing was done$/
      )
      assert.match(
        await refusalOf(["doctor", mode, "--data", join(folder, "nothing")]),
        /^There is no data folder \S+: start the server once, or .*\. Nothing was done$/
      )
      assert.deepStrictEqual(readdirSync(folder), [])
    })
  )
})

describe("the address of a server without one of its own", () => {
  it.each([
    ["127.0.0.1", "http://127.0.0.1:4210"],
    ["::1", "http://[::1]:4210"],
    ["0.0.0.0", "http://127.0.0.1:4210"],
    ["::", "http://127.0.0.1:4210"]
  ])("that listens on %s is %s", (host, url) => {
    assert.strictEqual(settingsOf({ ...defaults, host, port: 4210 }).publicUrl, url)
    assert.isTrue(URL.canParse(url))
  })
})
