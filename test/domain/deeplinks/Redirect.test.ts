import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { Deeplink } from "../../../src/domain/deeplinks/Deeplink.ts"
import { redirectFault, redirectOf } from "../../../src/domain/deeplinks/Redirect.ts"
import { countryOf, deviceOf, isCrawler, sourceOf, visitorNetwork } from "../../../src/domain/deeplinks/Visit.ts"
import { runCount } from "../../support/Runs.ts"

type Target = readonly [type: Deeplink["type"], redirectUrl: string]

const good: ReadonlyArray<Target> = [
  ["web_url", "https://studio.example/play?x=1#top"],
  ["web_url", "http://127.0.0.1:8080/"],
  ["roblox_url", "https://www.roblox.com/games/123/Name"],
  ["roblox_url", "roblox://experiences/start?placeId=1"],
  ["roblox_share_url", "https://www.roblox.com/share?code=abc&type=Server"],
  ["other", "https://store.example/app"],
  ["other", "mygame://open/level/3"]
]

const bad: ReadonlyArray<Target> = [
  ["web_url", "javascript:alert(1)"],
  ["web_url", "data:text/html,x"],
  ["web_url", "//evil.example"],
  ["web_url", "/local"],
  ["web_url", "https://good.example@evil.example/"],
  ["web_url", "https:\\\\evil.example"],
  ["web_url", "https://evil.example/\r\nset-cookie: a=b"],
  ["web_url", " https://studio.example"],
  ["web_url", "mygame://open"],
  ["web_url", "https://"],
  ["roblox_url", "https://evil.example/www.roblox.com"],
  ["roblox_url", "https://www.roblox.com.evil.example/"],
  ["roblox_url", "https://notroblox.com/"],
  ["roblox_url", "http://www.roblox.com/"],
  ["other", "javascript:alert(1)"],
  ["other", "unknown://open"],
  ["other", "file:///etc/passwd"]
]

const deeplink = (type: Deeplink["type"], redirectUrl: string) => ({ type, redirectUrl, slug: "summer" }) as Deeplink

describe("where a deeplink may lead", () => {
  it.each(good)("%s to %s", (type, redirectUrl) => {
    assert.isNull(redirectFault({ type, redirectUrl }, ["mygame"]))
  })

  it.each(bad)("not %s to %s", (type, redirectUrl) => {
    assert.isString(redirectFault({ type, redirectUrl }, ["mygame"]))
  })
})

describe("where a click goes on to", () => {
  it.each([
    ["web_url", "https://a.example/p", "https://a.example/p?gk_click=id&utm_id=gk_summer"],
    ["web_url", "https://a.example/p?x=1&gk_click=old#f", "https://a.example/p?x=1&gk_click=id&utm_id=gk_summer#f"],
    ["other", "mygame://open?x=a%20b", "mygame://open?x=a%20b&gk_click=id"],
    ["roblox_url", "roblox://placeId=1", "roblox://placeId=1?gk_click=id"]
  ] as const)("of %s %s", (type, redirectUrl, expected) => {
    assert.strictEqual(redirectOf(deeplink(type, redirectUrl), "id"), expected)
  })

  it("has no id of a click that does not count", () => {
    assert.strictEqual(redirectOf(deeplink("other", "mygame://open"), null), "mygame://open")
    assert.strictEqual(
      redirectOf(deeplink("web_url", "https://a.example"), null),
      "https://a.example/?utm_id=gk_summer"
    )
  })

  it("is never another host than that of the link", () => {
    const part = fc.stringMatching(/^[ -~]{0,12}$/)
    const addresses = fc
      .tuple(part, part, part)
      .map(([path, query, fragment]) => `https://a.example/${path}?${query}#${fragment}`)
    fc.assert(
      fc.property(addresses, fc.option(fc.uuid()), (redirectUrl, id) => {
        fc.pre(redirectFault({ type: "web_url", redirectUrl }, []) === null)
        const url = new URL(redirectOf(deeplink("web_url", redirectUrl), id))
        assert.strictEqual(url.origin, "https://a.example")
        assert.strictEqual(url.searchParams.get("gk_click"), id ?? new URL(redirectUrl).searchParams.get("gk_click"))
      }),
      { numRuns: runCount(1000) }
    )
  })
})

const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1"

describe("who clicks", () => {
  it.each([
    ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", true],
    ["facebookexternalhit/1.1", true],
    ["Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)", true],
    ["Twitterbot/1.0", true],
    ["WhatsApp/2.23.20.0", true],
    ["Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", true],
    [iphone, false],
    [`${iphone} [LinkedInApp]`, false],
    ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36", false],
    ["", false],
    ["curl/8.5.0", false],
    ["python-requests/2.31.0", false],
    ["okhttp/4.12.0", false],
    ["Go-http-client/1.1", false]
  ])("%s crawls: %s", (userAgent, expected) => {
    assert.strictEqual(isCrawler(userAgent), expected)
  })

  it.each([
    [iphone, "phone"],
    ["Mozilla/5.0 (iPad; CPU OS 16_0 like Mac OS X)", "tablet"],
    ["Mozilla/5.0 (Linux; Android 13; SM-X700)", "tablet"],
    ["Mozilla/5.0 (Linux; Android 13; Pixel 7) Mobile", "phone"],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", "desktop"],
    ["Mozilla/5.0 (PlayStation; PlayStation 5/6.50)", "console"],
    ["", "other"]
  ])("%s is of class %s", (userAgent, expected) => {
    assert.strictEqual(deviceOf(userAgent), expected)
  })

  it("look at the beginning of a user agent, however long a stranger makes it", () => {
    const agent = "Mozilla/5.0 (X11; Linux x86_64) ".padEnd(512, "x")
    assert.deepStrictEqual([isCrawler(`${agent} spider`), isCrawler(`spider ${agent}`)], [false, true])
    assert.deepStrictEqual([deviceOf(`${agent} iPhone`), deviceOf(`iPhone ${agent}`)], ["desktop", "phone"])
  })

  it("comes from what is named, else from the referrer's host", () => {
    const none = new URLSearchParams()
    assert.strictEqual(sourceOf(new URLSearchParams("utm_source=News%20Letter"), "https://x.example"), "news letter")
    assert.strictEqual(sourceOf(none, "https://www.Reddit.com/r/games?q=secret"), "reddit.com")
    assert.isNull(sourceOf(none, "nonsense"))
    assert.isNull(sourceOf(none, ""))
  })

  it("is told by network and country, never by address", () => {
    assert.strictEqual(visitorNetwork("203.0.113.77"), "203.0.113")
    assert.strictEqual(visitorNetwork("::ffff:203.0.113.77"), "203.0.113")
    assert.strictEqual(visitorNetwork("2001:db8:1:2:3:4:5:6"), "2001:db8:1")
    assert.strictEqual(countryOf([undefined, "fr"]), "FR")
    assert.isNull(countryOf(["XX", undefined]))
    assert.isNull(countryOf(["not a country"]))
  })

  it("is in the same network, however its address is written", () => {
    for (const address of ["2001:db8::77", "2001:db8:0:1::77", "2001:db8:0:1:2:3:4:5", "2001:0DB8:0000:0002::1"])
      assert.strictEqual(visitorNetwork(address), "2001:db8:0")
    assert.strictEqual(visitorNetwork("2001::1:2:3:4:77"), "2001:0:0")
    assert.strictEqual(visitorNetwork("::1"), "0:0:0")
  })
})
