import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { snippetsOf } from "../../src/web/setup/Snippets.ts"
import { root } from "../support/Server.ts"

describe("what the setup page promises of clients", () => {
  const snippets = snippetsOf({ server: "https://play.example.com", key: "gk_public_x", environment: "production" })

  it("sends a marker of the instant in which it is run", () => {
    for (const { id, text } of snippets) {
      assert.match(text, /timestamp/, id)
      assert.notMatch(text, /timestamp\\?"?\s*[:=]\s*\\?"?\d/, id)
    }
  })

  it("sends letters of HTTP over the connection that the server has", () => {
    const http = (server: string) =>
      snippetsOf({ server, key: "k", environment: "production" }).find(({ id }) => id === "http")?.text ?? ""
    assert.match(http("http://127.0.0.1:7301"), /\| nc 127\.0\.0\.1 7301\n[^]*\nHost: 127\.0\.0\.1:7301\n/)
    assert.match(
      http("https://play.example.com"),
      /\| openssl s_client -quiet -connect play\.example\.com:443 -servername play\.example\.com\n/
    )
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
