import { assert, describe, it } from "@effect/vitest"
import { commands, help } from "../../src/cli/Cli.ts"
import { groups } from "../../src/cli/Overview.ts"
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
