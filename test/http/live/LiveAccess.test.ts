import { assert, describe, it } from "@effect/vitest"
import { mostStreams } from "../../../src/domain/live/LiveLimits.ts"
import { cookieOf, signIn } from "../../support/access/Person.ts"
import { mintPersonalToken } from "../../support/access/Studio.ts"
import { bearer, joinAs, refused } from "../../support/Caller.ts"
import { login, next, watching } from "../../support/live/Watching.ts"
import { stores } from "../../support/Stores.ts"

describe.each(stores)("who hears what of the live stream over %s", (_, store) => {
  const at = watching(store)

  it("tells a token of one permission that kind alone", async () => {
    const permissions = ["projects:read", "markers:read"]
    const headers = bearer(await mintPersonalToken(at().server.request, at().studio, { permissions }))
    const stream = await at().listen("", headers)
    assert.deepStrictEqual(await next(stream, "open"), { kinds: ["markers", "rejected"] })
    assert.isBelow((await at().configure("unheard")).status, 300)
    await at().send([login("ada")])
    assert.strictEqual((await stream.next()).event, "markers")
    stream.close()
  })

  it("ends with the session, and with what the caller may see, at the next sign of life", async () => {
    const { cookie, membershipId } = await joinAs(at().server.request, at().studio, `kay-${_}`, "Viewer")
    const [kays, own] = [await at().listen("", cookie), await at().listen()]
    await Promise.all([next(kays, "open"), next(own, "open")])
    await at().beat()
    await Promise.all([next(kays, "comment"), next(own, "comment")])
    const home = `/organization/${at().studio.organizationId}`
    const removed = await at().server.request("DELETE", `${home}/members/${membershipId}`, {
      headers: at().studio.cookie
    })
    assert.isBelow(removed.status, 300, removed.text)
    await at().beat()
    assert.strictEqual(await kays.ended, "end")
    await next(own, "comment")
    own.close()
    const linus = await joinAs(at().server.request, at().studio, `linus-${_}`, "Viewer")
    const stream = await at().listen("", linus.cookie)
    await next(stream, "open")
    await at().server.request("POST", "/users/auth/signout", { headers: linus.cookie })
    await at().beat()
    assert.strictEqual(await stream.ended, "end")
  })

  it("ends with the browser that was signed out, and goes on in another one of the same person", async () => {
    const { request } = at().server
    const { cookie, email } = await joinAs(request, at().studio, `mia-${_}`, "Viewer")
    const lost = { cookie: cookieOf(await signIn(request, email)) ?? "" }
    const [own, stolen] = [await at().listen("", cookie), await at().listen("", lost)]
    await Promise.all([next(own, "open"), next(stolen, "open")])
    const ended = await request("DELETE", "/users/sessions", { headers: cookie })
    assert.isBelow(ended.status, 300, ended.text)
    await at().beat()
    assert.strictEqual(await stolen.ended, "end")
    await next(own, "comment")
    own.close()
  })

  it("is refused to a page of another site, without an environment, and to more than 20 of one person", async () => {
    const foreign = { ...at().studio.cookie, "sec-fetch-site": "cross-site" }
    refused(await at().server.request("GET", at().path(), { headers: foreign }), 403, "CROSS_SITE_REQUEST")
    const bare = `/application/${at().studio.applicationId}/stream`
    refused(await at().server.request("GET", bare, { headers: at().studio.cookie }), 400, "VALIDATION_FAILED")
    refused(
      await at().server.request("GET", at().path("&markers=2"), { headers: at().studio.cookie }),
      400,
      "VALIDATION_FAILED"
    )
    refused(
      await at().server.request("GET", at().path("&other=2"), { headers: at().studio.cookie }),
      400,
      "VALIDATION_FAILED"
    )
    const all = await Promise.all(Array.from({ length: mostStreams.ofUser }, () => at().listen()))
    await Promise.all(all.map((stream) => next(stream, "open")))
    const tooMany = await at().server.request("GET", at().path(), { headers: at().studio.cookie })
    refused(tooMany, 429, "TOO_MANY_STREAMS")
    assert.strictEqual(tooMany.headers.get("retry-after"), "30")
    for (const stream of all) stream.close()
    await at().unwatched()
    const again = await at().listen()
    assert.strictEqual(again.status, 200)
    again.close()
  })
})
