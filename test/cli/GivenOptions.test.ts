import { assert, describe, it } from "@effect/vitest"
import { ran } from "../support/CommandLine.ts"

describe("a command line", () => {
  it.each([
    [["serve", "--port", "4210", "--sign-up", "off", "--session-days", "0"], "--session-days must be"],
    [["demo", "--port", "4210", "--sign-up", "off", "--session-days", "0"], "--session-days must be"],
    [["backup", "--to", "x", "--keep", "0"], "--keep must be"],
    [["doctor", "--data", ""], "--data must be"]
  ] as const)(
    "%j minds no variable for which an option is given, and none that it does not read",
    async (words, wrong) => {
      const variables = { GAMEKEEPER_PORT: "abc", GAMEKEEPER_SIGN_UP: "closed", GAMEKEEPER_EXPORT_HOURS: "24" }
      const { out } = await ran(words, variables)
      assert.lengthOf(out.split(/\n+/), 1)
      assert.include(out, wrong)
    }
  )

  it("that names no command minds no variable for which an option is given", async () => {
    const { out } = await ran(["--port", "4210", "--session-days", "0"], { GAMEKEEPER_PORT: "abc" })
    assert.match(out, /^--session-days must be [^\n]*$/)
  })

  it.each(["backup", "demo", "plan"])("that names no command serves, also over a folder called %s", async (data) => {
    const { out } = await ran(["--data", data, "--session-days", "0"])
    assert.match(out, /^--session-days must be [^\n]*$/)
  })

  it.each([
    ["create-admin", ["--email", "ada@studio.example", "--password", "short"]],
    ["remove-second-factor", ["--email", "ada@studio.example", "--data", ""]],
    ["make-owner", ["--email", "ada@studio.example", "--organization", "1", "--data", ""]],
    ["reset-password", ["--email", "ada@studio.example", "--data", ""]],
    ["test-mail", ["--to", "ada@studio.example", "--data", ""]],
    ["migrate", ["--data", ""]],
    ["import", ["--environment", "1", "--data", "", "x.json"]]
  ] as const)("%s minds no variable that only a server uses which listens", async (command, words) => {
    const { isDone, out } = await ran([command, ...words], {
      GAMEKEEPER_MIN_FREE_MB: "much",
      GAMEKEEPER_EXPORT_HOURS: "daily",
      GAMEKEEPER_OTLP_SIGNALS: "spans",
      GAMEKEEPER_METRICS_TOKEN: "short"
    })
    assert.isFalse(isDone)
    assert.notInclude(out, "GAMEKEEPER_")
  })

  it("minds those that it uses, and an option whether or not it uses it", async () => {
    const wrong = { GAMEKEEPER_DEDUPE_DAYS: "many", GAMEKEEPER_PORT: "abc" }
    assert.match((await ran(["migrate"], wrong)).out, /^GAMEKEEPER_DEDUPE_DAYS must be [^\n]*$/)
    assert.match((await ran(["migrate", "--min-free-mb", "-1"])).out, /^--min-free-mb must be [^\n]*$/)
    const link = await ran(["reset-password", "--email", "ada@studio.example"], { GAMEKEEPER_PORT: "abc" })
    assert.match(link.out, /^GAMEKEEPER_PORT must be [^\n]*$/)
  })

  it("that names what is no command is told so, whatever is set", async () => {
    const { isDone, out } = await ran(["nosuch"], { GAMEKEEPER_PORT: "abc" })
    assert.isFalse(isDone)
    assert.strictEqual(out, "gamekeeper: There is no command nosuch: gamekeeper --help lists those that there are")
  })
})
