import { assert, describe, it } from "@effect/vitest"
import { Console, Effect } from "effect"
import { settings } from "../../src/app/SettingsReference.ts"
import { withoutColours } from "../../src/cli/Colours.ts"
import { globalConsole, ran } from "../support/CommandLine.ts"

describe("the help of a command", () => {
  it.each(["import", "migrate", "create-admin", "demo", "test-mail"])(
    "%s over the stores has its own options alone",
    async (name) => {
      const { isDone, out } = await ran([name, "--help"])
      assert.isTrue(isDone)
      assert.notInclude(out, "\u001B")
      const flags = [...out.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, flag]) => flag)
      const known = new Set(settings().map(({ flag }) => flag))
      assert.deepStrictEqual(
        flags.filter((flag) => known.has(flag ?? "")),
        ["data"]
      )
      assert.include(out, `gamekeeper ${name} --help --all`)
      assert.notMatch(out, /--(wizard|log-level|completions)/)
      if (name === "import") {
        assert.match(out, /^gamekeeper import \[options\] <file>\.\.\.\n\nLoad markers/)
        assert.match(out, /^ {2}<file>\.\.\. +Files or folders/m)
        assert.match(out, /^ {2}--from posthog \| gameanalytics \| amplitude \| talo +The files are/m)
        assert.includeMembers(flags, ["environment", "mapping", "print-mapping", "rejected", "gzip"])
      }
    }
  )

  it.each([
    "doctor",
    "repair",
    "backup",
    "backups",
    "restore",
    "drill",
    "pull",
    "plan",
    "apply",
    "types",
    "mcp",
    "export"
  ])("%s has a line for each option", async (name) => {
    const { isDone, out } = await ran([name, "--help"])
    assert.isTrue(isDone)
    assert.match(out, new RegExp(`^gamekeeper ${name} \\[options\\]\n\n[A-Z]`))
    const options = out.split("\n").filter((line) => line.startsWith("  --"))
    assert.isNotEmpty(options)
    for (const line of options) assert.match(line, /^ {2}--\S.* {2}[A-Z0-9].*\w/)
    assert.notMatch(out, /wizard|This setting|takes the settings of the server/)
  })

  it("tells the defaults", async () => {
    const exported = (await ran(["export", "--help"])).out
    assert.match(exported, /^ {2}--environment text .*\(production\)$/m)
    assert.match(exported, /^ {2}--dir directory .*\(export\)$/m)
    assert.match(exported, /^ {2}--format parquet \| csv \| ndjson .*\(parquet\)$/m)
    assert.match((await ran(["pull", "--help"])).out, /^ {2}--dir directory .*\(\.\)$/m)
    assert.match((await ran(["backup", "--help"])).out, /^ {2}--data text .*\(\.\/data\)$/m)
    assert.match((await ran(["doctor", "--help"])).out, /^ {2}--retention-days integer .*\(400\)$/m)
    assert.strictEqual(
      (await ran(["openapi", "--help"])).out.trim(),
      "gamekeeper openapi\n\nPrint the OpenAPI document"
    )
  })

  it("has no colours where no terminal shows them", async () => {
    const { out } = await ran(["doctor", "--help"])
    assert.include(out, "--deep")
    assert.notInclude(out, "\u001B")
    const lines: Array<unknown> = []
    const log = (...values: ReadonlyArray<unknown>) => Effect.sync(() => void lines.push(...values))
    await Effect.runPromise(
      Effect.withConsole(withoutColours(Console.log("a \u001B[0;1mword\u001B[0m", 1)), { ...globalConsole, log })
    )
    assert.deepStrictEqual(lines, ["a word", 1])
  })

  it("is the same in either order of the words", async () => {
    const { isDone, out } = await ran(["help", "backup"])
    assert.isTrue(isDone)
    assert.include(out, "--keep")
    assert.strictEqual(out, (await ran(["backup", "--help"])).out)
  })
})
