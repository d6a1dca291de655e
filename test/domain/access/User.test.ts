import { assert, describe, it } from "@effect/vitest"
import { isReadableAddress, newEmailPattern } from "../../../src/domain/access/User.ts"

describe("addresses that are told from others by looking at them", () => {
  it.each([
    "ada@studio.example",
    "Ada.Lovelace+live_ops@studio.example",
    "j\u00f6rg@m\u00fcller.example",
    "\u0430\u0434\u0430@\u0441\u0442\u0443\u0434\u0438\u044f.example",
    "\u30a8\u30a4\u30c0@studio.example"
  ])("%s is one", (email) => assert.isTrue(isReadableAddress(email)))

  it.each([
    ["a space without a width", "a\u200bda@studio.example"],
    ["a joiner", "ada\u200d@studio.example"],
    ["a mark that turns what follows around", "\u202eada@studio.example"],
    ["a soft hyphen", "a\u00adda@studio.example"],
    ["a control", "a\u0007da@studio.example"],
    ["half a surrogate pair", "a\ud800da@studio.example"],
    ["a filler of Hangul, which is a letter without a shape", "ada\u3164@studio.example"],
    ["an umlaut in two characters", "jo\u0308rg@studio.example"],
    ["a letter of full width", "\uff41da@studio.example"],
    ["the sign of Kelvin, which is a k in small letters", "bac\u212a@studio.example"]
  ])("one with %s is none", (_, email) => assert.isFalse(isReadableAddress(email)))
})

describe("addresses to which mail can go", () => {
  it.each(["ada@studio.example", "a..b@docomo.ne.jp", "j\u00f6rg@m\u00fcller.example", "ada@x-y.co.uk"])(
    "%s may be one",
    (email) => assert.match(email, newEmailPattern)
  )

  it.each([
    "ada",
    "ada@",
    "@x.de",
    "ada@de",
    "ada@x..de",
    "ada@.x.de",
    "ada@x.de.",
    "a@b@x.de",
    "ada @x.de",
    "ada@x.d e"
  ])("%s is none", (email) => assert.notMatch(email, newEmailPattern))
})
