import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { browserNameOf } from "../../../src/domain/access/BrowserName.ts"

const webKit = "AppleWebKit/537.36 (KHTML, like Gecko)"
const rows: ReadonlyArray<readonly [userAgent: string | undefined, name: string | null]> = [
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
    "Edge on Windows"
  ],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Chrome/140.0.0.0 Safari/537.36`, "Chrome on macOS"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15",
    "Safari on macOS"
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1",
    "Chrome on iOS"
  ],
  [
    `Mozilla/5.0 (Linux; Android 15; SM-S931B) ${webKit} SamsungBrowser/28.0 Chrome/130.0 Mobile`,
    "Samsung Internet on Android"
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webKit} Chrome/140.0.0.0 Safari/537.36`, "Chrome on ChromeOS"],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chrome/140.0.0.0 Safari/537.36 OPR/120.0`, "Opera on Linux"],
  ["curl/8.5.0", "curl"],
  ["node", "node"],
  ["", null],
  ["<script>", null],
  [undefined, null]
]

describe("the name of a browser", () => {
  it.each(rows)("%s: %s", (userAgent, name) => {
    assert.strictEqual(browserNameOf(userAgent), name)
  })

  it.prop(
    "is short and holds no markup, whatever a stranger sends",
    [fc.string({ maxLength: 2000 })],
    ([userAgent]) => {
      const name = browserNameOf(userAgent)
      assert.isTrue(name === null || /^[\w .-]{1,60}$/.test(name))
    }
  )
})
