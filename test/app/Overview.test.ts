import { assert, describe, it } from "@effect/vitest"
import { commands, help } from "../../src/cli/Cli.ts"
import { settings } from "../../src/app/SettingsReference.ts"
import { groups } from "../../src/cli/Overview.ts"
import { jobs, serveHelp } from "../../src/cli/ServeHelp.ts"
import { gamekeeper } from "../support/Server.ts"

describe("gamekeeper --help", () => {
  it("names each command once, with what it does, on one screen", () => {
    const named = groups.flatMap(([, names]) => [...names])
    assert.sameMembers(
      named,
      [...commands].map(([name]) => name)
    )
    const lines = help().split("\n")
    for (const name of named) {
      const said = lines.filter((line) => line.startsWith(`  ${name} `))
      assert.lengthOf(said, 1, name)
      assert.match(said[0] ?? "", /^  [a-z-]+ +[A-Z].{15,}/, name)
    }
    assert.isAtMost(lines.length, 50)
  })

  it("is what the built command prints, with the words people try", async () => {
    for (const word of ["--help", "-h", "help"]) {
      const { code, out } = await gamekeeper([word]).ended
      assert.deepStrictEqual([code, out.trim()], [0, help().trim()], word)
    }
    assert.include((await gamekeeper(["doctor", "--help"]).ended).out, "--deep")
  })
})

describe("gamekeeper serve --help", () => {
  const lines = serveHelp().split("\n")

  it("has what most servers need on one screen, each setting with what it means", () => {
    assert.isAtMost(lines.length, 40)
    for (const line of lines) assert.isAtMost(line.length, 130, line)
    const known = settings().map(({ flag }) => flag)
    for (const flag of jobs.flatMap(([, names]) => [...names])) {
      assert.include(known, flag)
      const said = lines.filter((line) => line.startsWith(`  --${flag} `))
      assert.lengthOf(said, 1, flag)
      assert.match(said[0] ?? "", /^  --[a-z-]+ +[A-Z].{15,}/, flag)
    }
    assert.include(serveHelp(), `All ${known.length} settings: gamekeeper serve --help --all`)
  })

  it("is what the built command prints, and all settings with --all", async () => {
    for (const word of ["--help", "-h"]) {
      const { code, out } = await gamekeeper(["serve", word]).ended
      assert.deepStrictEqual([code, out.trim()], [0, serveHelp().trim()], word)
    }
    for (const args of [
      ["serve", "--help", "--all"],
      ["serve", "--all", "-h"],
      ["--help", "--all"]
    ]) {
      const { code, out } = await gamekeeper(args).ended
      assert.strictEqual(code, 0, args.join(" "))
      for (const { flag } of settings()) assert.include(out, `--${flag}`)
    }
  })
})
