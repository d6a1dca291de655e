import { assert, describe, it } from "@effect/vitest"
import { caller, joinAs, keysOf, refused } from "../../support/Caller.ts"
import { codeOf, setUpFactor } from "../../support/access/Authenticators.ts"
import { accountCalls, cookieOf, enter, password, signIn } from "../../support/access/Person.ts"
import { joinStudio, openStudio } from "../../support/access/Studio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const path = "/users/me/second-factor"
/** A code of six digits that is none of those that are good. */
const wrongCode = (secret: string): string => {
  const good = new Set([-1, 0, 1, 2].map((later) => codeOf(secret, later)))
  return ["000000", "111111", "222222", "333333", "444444"].find((code) => !good.has(code)) ?? ""
}

describe.each(stores)("second factors over %s", (_, store) => {
  const { request } = testApp(store)

  const signInWith = (email: string, code?: string, given = password) =>
    request("POST", "/users/auth/signin", { body: { email, password: given, ...(code === undefined ? {} : { code }) } })

  const stateOf = async (cookie: string) => (await request("GET", path, { headers: { cookie } })).body

  const outcomesOf = async (cookie: string): Promise<ReadonlyArray<string>> =>
    (await request("GET", "/users/sign-ins", { headers: { cookie } })).body.map(
      ({ outcome }: { readonly outcome: string }) => outcome
    )

  it("is asked for from the confirmation on, and each code is good once", async () => {
    const email = "ada@factors.test"
    const cookie = await enter(request, email)
    assert.deepStrictEqual(await stateOf(cookie), { confirmedAt: null, recoveryCodesLeft: 0 })

    const headers = { cookie }
    const first = await request("POST", path, { headers, body: { currentPassword: password } })
    assert.deepStrictEqual([first.status, keysOf(first.body)], [201, ["address", "secret"]])
    assert.include(first.body.address, first.body.secret)
    assert.strictEqual((await signInWith(email)).status, 200, "what is only begun is not asked for")

    const { begun, confirmed, secret, recoveryCodes } = await setUpFactor(request, cookie)
    assert.notStrictEqual(begun.body.secret, first.body.secret)
    assert.deepStrictEqual([confirmed.status, keysOf(confirmed.body)], [200, ["recoveryCodes"]])
    assert.lengthOf(new Set(recoveryCodes), 10)
    const state = await stateOf(cookie)
    assert.deepStrictEqual([keysOf(state), state.recoveryCodesLeft], [["confirmedAt", "recoveryCodesLeft"], 10])
    assert.isNotNull(state.confirmedAt)

    const asked = await signInWith(email)
    refused(asked, 401, "SECOND_FACTOR_REQUIRED")
    assert.deepStrictEqual(asked.headers.getSetCookie(), [])
    refused(await signInWith(email, codeOf(secret)), 422, "SECOND_FACTOR_INCORRECT")
    const next = codeOf(secret, 1)
    assert.strictEqual((await signInWith(email, `${next.slice(0, 3)} ${next.slice(3)}`)).status, 200)
    refused(await signInWith(email, next), 422, "SECOND_FACTOR_INCORRECT")
    refused(await signInWith(email, wrongCode(secret)), 422, "SECOND_FACTOR_INCORRECT")

    assert.strictEqual((await signInWith(email, recoveryCodes[3].toUpperCase())).status, 200)
    refused(await signInWith(email, recoveryCodes[3]), 422, "SECOND_FACTOR_INCORRECT")
    assert.strictEqual((await stateOf(cookie)).recoveryCodesLeft, 9)
    assert.deepStrictEqual((await outcomesOf(cookie)).slice(0, 7), [
      "wrongCode",
      "signedIn",
      "wrongCode",
      "wrongCode",
      "signedIn",
      "wrongCode",
      "signedIn"
    ])
  })

  it("whoever is signed in elsewhere by the password alone is signed out with the confirmation", async () => {
    const email = "mary@factors.test"
    const [here, there] = [await enter(request, email), cookieOf(await signInWith(email)) ?? ""]
    const statuses = async () => [
      (await accountCalls(request).me(here)).status,
      (await accountCalls(request).me(there)).status
    ]
    await request("POST", path, { headers: { cookie: here }, body: { currentPassword: password } })
    assert.deepStrictEqual(await statuses(), [200, 200], "what is only begun ends nothing")
    const { secret } = await setUpFactor(request, here)
    assert.deepStrictEqual(await statuses(), [200, 401])
    const proven = cookieOf(await signInWith(email, codeOf(secret, 1))) ?? ""
    assert.strictEqual((await accountCalls(request).me(proven)).status, 200)
  })

  it("nobody learns of it without the password", async () => {
    const email = "grace@factors.test"
    const { secret } = await setUpFactor(request, await enter(request, email))
    refused(await signInWith(email, undefined, "wrong horse"), 401, "INVALID_CREDENTIALS")
    refused(await signInWith(email, codeOf(secret, 1), "wrong horse"), 401, "INVALID_CREDENTIALS")
    assert.strictEqual((await signInWith(email, codeOf(secret, 1))).status, 200, "it was not used up")
  })

  it("one of those who use a code at once gets in", async () => {
    const email = "race@factors.test"
    const { secret, recoveryCodes } = await setUpFactor(request, await enter(request, email))
    for (const code of [codeOf(secret, 1), recoveryCodes[0]]) {
      const answers = await Promise.all([1, 2, 3].map(() => signInWith(email, code)))
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 422, 422])
    }
  })

  it("recovery codes are replaced, and the factor is taken away, by whoever shows both factors", async () => {
    const email = "joan@factors.test"
    const cookie = await enter(request, email)
    const ask = caller(request, { cookie })
    const { recoveryCodes } = await setUpFactor(request, cookie)
    const proof = (code: string) => ({ currentPassword: password, code })
    const renewed = await ask("POST", `${path}/recovery-codes`, proof(recoveryCodes[0]))
    assert.deepStrictEqual([renewed.status, keysOf(renewed.body)], [200, ["recoveryCodes"]])
    refused(await signInWith(email, recoveryCodes[1]), 422, "SECOND_FACTOR_INCORRECT")
    const [one, two] = renewed.body.recoveryCodes
    assert.strictEqual((await signInWith(email, one)).status, 200)
    assert.strictEqual((await ask("POST", `${path}/removal`, proof(two))).status, 204)
    assert.strictEqual((await signInWith(email)).status, 200)
    assert.deepStrictEqual(await stateOf(cookie), { confirmedAt: null, recoveryCodesLeft: 0 })
    assert.strictEqual((await setUpFactor(request, cookie)).confirmed.status, 200)
  })

  it("refuses what does not fit, and changes nothing", async () => {
    const email = "rows@factors.test"
    const cookie = await enter(request, email)
    const ask = caller(request, { cookie })
    const both = (code: string, currentPassword = password) => ({ currentPassword, code })
    const without: ReadonlyArray<readonly [string, string, object, number, string]> = [
      ["set-up with a wrong password", path, { currentPassword: "wrong horse" }, 422, "PASSWORD_INCORRECT"],
      ["set-up without a password", path, {}, 400, "VALIDATION_FAILED"],
      ["set-up with more", path, { currentPassword: password, code: "1" }, 400, "VALIDATION_FAILED"],
      ["confirming nothing", `${path}/confirmation`, { code: "123456" }, 409, "SECOND_FACTOR_NOT_BEGUN"],
      ["codes for nothing", `${path}/recovery-codes`, both("123456"), 409, "SECOND_FACTOR_ABSENT"],
      ["removing nothing", `${path}/removal`, both("123456"), 409, "SECOND_FACTOR_ABSENT"]
    ]
    for (const [_case, to, body, status, code] of without) refused(await ask("POST", to, body), status, code)

    const begun = await ask("POST", path, { currentPassword: password })
    const begunWrong = await ask("POST", `${path}/confirmation`, { code: wrongCode(begun.body.secret) })
    refused(begunWrong, 422, "SECOND_FACTOR_INCORRECT")
    const { secret, recoveryCodes } = await setUpFactor(request, cookie)
    const wrong = wrongCode(secret)
    const present: ReadonlyArray<readonly [string, string, object, number, string]> = [
      ["set-up again", path, { currentPassword: password }, 409, "SECOND_FACTOR_PRESENT"],
      ["confirming again", `${path}/confirmation`, { code: codeOf(secret, 1) }, 409, "SECOND_FACTOR_PRESENT"],
      ["codes with a wrong code", `${path}/recovery-codes`, both(wrong), 422, "SECOND_FACTOR_INCORRECT"],
      ["codes with a wrong password", `${path}/recovery-codes`, both(recoveryCodes[0], "x"), 422, "PASSWORD_INCORRECT"],
      ["codes without a code", `${path}/recovery-codes`, { currentPassword: password }, 400, "VALIDATION_FAILED"],
      ["removal with a wrong code", `${path}/removal`, both(wrong), 422, "SECOND_FACTOR_INCORRECT"],
      ["removal with a wrong password", `${path}/removal`, both(recoveryCodes[0], "x"), 422, "PASSWORD_INCORRECT"],
      ["removal with an empty code", `${path}/removal`, both(""), 400, "VALIDATION_FAILED"]
    ]
    for (const [_case, to, body, status, code] of present) refused(await ask("POST", to, body), status, code)
    assert.strictEqual((await stateOf(cookie)).recoveryCodesLeft, 10)
    assert.strictEqual((await signInWith(email, codeOf(secret, 1))).status, 200)
  })

  it("an administrator takes it away from whom they could let back in, and nobody else does", async () => {
    const studio = await openStudio(request, "boss")
    const lost = await joinAs(request, studio, "lost", "Viewer")
    const viewer = await joinStudio(request, studio, "peer", "Viewer")
    const { secret } = await setUpFactor(request, lost.cookie.cookie)
    const members = `/organization/${studio.organizationId}/members`
    const remove = (headers: { readonly cookie: string }, membershipId: number) =>
      request("DELETE", `${members}/${membershipId}/second-factor`, { headers })
    refused(await remove(viewer, lost.membershipId), 403, "FORBIDDEN")
    refused(await remove(studio.cookie, studio.membershipId), 403, "FORBIDDEN")
    refused(await remove(lost.cookie, lost.membershipId), 403, "FORBIDDEN")
    refused(await remove(studio.cookie, 999_999), 404, "MEMBER_NOT_FOUND")
    refused(await signInWith(lost.email), 401, "SECOND_FACTOR_REQUIRED")

    assert.strictEqual((await remove(studio.cookie, lost.membershipId)).status, 204)
    refused(await remove(studio.cookie, lost.membershipId), 409, "SECOND_FACTOR_ABSENT")
    assert.strictEqual((await signInWith(lost.email)).status, 200)
    const log = await request("GET", `/organization/${studio.organizationId}/audit-log`, { headers: studio.cookie })
    const entry = log.body.items.find(({ operation }: { operation: string }) => operation.startsWith("secondFactors"))
    assert.deepStrictEqual(
      [entry.operation, entry.object.id],
      ["secondFactors.removeOfMember", String(lost.membershipId)]
    )
    assert.notInclude(log.text, secret)
  })

  it("another password by a link leaves it as it is", async () => {
    const studio = await openStudio(request, "chief")
    const { membershipId, email, cookie } = await joinAs(request, studio, "forgot", "Viewer")
    const { secret } = await setUpFactor(request, cookie.cookie)
    const made = await request(
      "POST",
      `/organization/${studio.organizationId}/members/${membershipId}/password-reset`,
      { headers: studio.cookie }
    )
    const next = "another battery staple"
    const body = { token: made.body.token, password: next }
    assert.strictEqual((await request("POST", "/users/auth/password-reset", { body })).status, 204)
    refused(await signInWith(email, undefined, next), 401, "SECOND_FACTOR_REQUIRED")
    assert.strictEqual((await signInWith(email, codeOf(secret, 1), next)).status, 200)
  })

  it("a code of an account without one makes no difference", async () => {
    const email = "plain@factors.test"
    await enter(request, email)
    assert.strictEqual((await signInWith(email, "123456")).status, 200)
    assert.isDefined(cookieOf(await signIn(request, email)))
  })
})

describe("guesses at codes", () => {
  const { request } = testApp(stores[0]![1], { rateLimits: true })

  it("are slowed down by account, after five", async () => {
    const email = "guess@factors.test"
    const { secret } = await setUpFactor(request, await enter(request, email))
    const guess = () => request("POST", "/users/auth/signin", { body: { email, password, code: wrongCode(secret) } })
    for (let failure = 0; failure < 5; failure++) refused(await guess(), 422, "SECOND_FACTOR_INCORRECT")
    const slowed = await guess()
    assert.deepStrictEqual([slowed.status, slowed.body.code], [429, "RATE_LIMITED"])
    const right = await request("POST", "/users/auth/signin", { body: { email, password, code: codeOf(secret, 1) } })
    assert.strictEqual(right.status, 429, "the right one waits too")
  })
})
