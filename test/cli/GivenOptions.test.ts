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
})
