import { assert, describe, it } from "@effect/vitest"
import { unreachable } from "../../../src/domain/operations/Unreachable.ts"

/** As fetch wraps the reason. */
const failed = (code: string) => new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code }) })

describe("what is said of an address that gives no answer", () => {
  it.each([
    ["ECONNREFUSED", "nothing listens there."],
    ["ENOTFOUND", "nobody has that name."],
    ["EAI_AGAIN", "names cannot be looked up now."],
    ["UND_ERR_CONNECT_TIMEOUT", "there was no answer in time."],
    ["ETIMEDOUT", "there was no answer in time."],
    ["UND_ERR_HEADERS_TIMEOUT", "there was no answer in time."],
    ["EHOSTUNREACH", "there was no answer in time."],
    ["ECONNRESET", "what listens there hung up,"],
    ["HPE_INVALID_CONSTANT", "what listens there hung up, or does not speak HTTP."],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "what listens there does not speak TLS"],
    ["CERT_HAS_EXPIRED", "its certificate is not valid today."],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another name."],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "this machine does not trust its certificate."],
    ["SELF_SIGNED_CERT_IN_CHAIN", "this machine does not trust its certificate."],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "this machine does not trust its certificate."],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "this machine does not trust its certificate."]
  ])("names the address and the reason %s, and what it means", (code, meaning) => {
    const said = unreachable("https://live.example:8443/path?x=1", "--url", failed(code))
    assert.isTrue(said.startsWith(`https://live.example:8443 cannot be reached: ${meaning}`), said)
    assert.isTrue(said.endsWith(`(${code}) The address is given by --url.`), said)
  })

  it("says a reason as it is that it does not know", () => {
    const cause = new TypeError("fetch failed", { cause: new Error("bad port") })
    assert.strictEqual(
      unreachable("http://live.example", "--url", cause),
      "http://live.example cannot be reached: bad port. The address is given by --url."
    )
    assert.include(unreachable("http://live.example", "--url", "odd"), "cannot be reached: odd.")
  })

  it("finds the code of several addresses that were tried in turn", () => {
    const errors = [new Error("connect ECONNREFUSED ::1:4210"), new Error("connect ECONNREFUSED 127.0.0.1:4210")]
    const cause = Object.assign(new AggregateError(errors), { code: "ECONNREFUSED" })
    assert.include(unreachable("http://localhost:4210", "--url", new TypeError("x", { cause })), "nothing listens")
  })
})
