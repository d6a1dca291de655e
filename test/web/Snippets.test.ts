import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { snippetsOf } from "../../src/web/setup/Snippets.ts"
import { root } from "../support/Server.ts"

describe("what the setup page promises of clients", () => {
  const now = Date.UTC(2026, 10, 26)
  const facts = { server: "https://play.example.com", key: "gk_public_x", environment: "production" }
  const snippets = snippetsOf(facts, now)

  it("sends a marker of the instant in which it is run, a request in letters of that in which it is shown", () => {
    for (const { id, text } of snippets) {
      assert.match(text, /timestamp/, id)
      if (id === "http") assert.include(text, `"timestamp":"2026-11-26T00:00:00.000Z"`)
      else assert.notMatch(text, /timestamp\\?"?\s*[:=]\s*\\?"?\d/, id)
    }
  })

  const promises: ReadonlyArray<readonly [id: string, page: string, promised: RegExp, documented: RegExp]> = [
    ["javascript", "docs/sdk.md", /in a page also over a reload/, /keeps what waits in IndexedDB/],
    ["unity", "docs/clients/csharp.md", /also over a restart/, /What waits when the game ends or is killed\s+is sent/],
    ["godot", "docs/clients/godot.md", /also over a restart/, /What waits when the game ends or is killed is sent/],
    ["roblox", "docs/clients/roblox.md", /in memory.*is lost/, /what waits when a server of the game is killed is lost/]
  ]

  for (const [id, page, promised, documented] of promises)
    it(`is what the document of ${id} says`, () => {
      const snippet = snippets.find((each) => each.id === id)
      assert.match(snippet?.client[2] ?? "", promised)
      assert.match(readFileSync(join(root, page), "utf8"), documented)
    })
})
