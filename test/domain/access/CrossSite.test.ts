import { assert, describe, it } from "@effect/vitest"
import { isCrossSite } from "../../../src/domain/access/CrossSite.ts"

const publicOrigin = "https://games.example.com"

/** What a browser sends, and whether another site's page sent it. */
const rows: ReadonlyArray<readonly [string, Partial<Record<"site" | "origin" | "host", string>>, boolean]> = [
  ["a program without any of the headers", { host: "10.0.0.7:4210" }, false],
  [
    "D1: a page of the public address behind a proxy that replaces Host",
    { site: "same-origin", origin: publicOrigin, host: "127.0.0.1:4210" },
    false
  ],
  ["D1: the same without Sec-Fetch-Site", { origin: publicOrigin, host: "127.0.0.1:4210" }, false],
  ["a person who typed the address", { site: "none", host: "127.0.0.1:4210" }, false],
  ["a page of the machine's own address", { origin: "http://192.168.1.4:4210", host: "192.168.1.4:4210" }, false],
  ["another site", { site: "cross-site", origin: publicOrigin, host: "games.example.com" }, true],
  [
    "another host of the same site",
    { site: "same-site", origin: "https://blog.example.com", host: "games.example.com" },
    true
  ],
  ["another origin without Sec-Fetch-Site", { origin: "https://evil.example", host: "127.0.0.1:4210" }, true],
  ["the public address without TLS", { origin: "http://games.example.com", host: "games.example.com" }, true],
  ["an origin that hides itself", { origin: "null", host: "127.0.0.1:4210" }, true]
]

describe("whether another site's page sent a request", () => {
  it.each(rows)("%s", (_case, { site, origin, host }, expected) => {
    assert.strictEqual(isCrossSite({ site, origin, host }, publicOrigin), expected)
  })
})
