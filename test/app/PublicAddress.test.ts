import { assert, describe, it } from "@effect/vitest"
import { hindranceIn } from "../../src/app/PublicAddress.ts"

describe("the address that people use", () => {
  it.each(["", "https://play.example.com", "https://play.example.com/", "http://127.0.0.1:4210"])(
    "%j is fine",
    (address) => assert.isNull(hindranceIn(address))
  )

  it.each(["https://example.com/gamekeeper", "https://example.com/gamekeeper/"])(
    "%j leads to pages that stay empty, which a start says",
    (address) =>
      assert.match(hindranceIn(address) ?? "", /stays empty below the path of --public-url .* a host name of its own$/)
  )
})
