import { assert, describe, it } from "@effect/vitest"
import { isAudited } from "../../schema/operations/Audited.ts"
import { readText } from "../../src/web/insights/ReadText.ts"
import { auditCodec } from "../../src/web/settings/AuditQuestion.ts"
import { auditedKinds, operationWords } from "../../src/web/settings/AuditWords.ts"
import { attemptText, outcomeText, typeText } from "../../src/web/settings/webhooks/WebhookWords.ts"
import { deniedText } from "../../src/web/text/Denied.ts"
import { isFound } from "../../src/web/text/Search.ts"
import { endpoints } from "../support/Endpoints.ts"

describe("words of the dashboard", () => {
  it("say what was done, not what the operation of the API is called", () => {
    const told: ReadonlyArray<readonly [operation: string, name: string | null, words: string]> = [
      ["configurations.patch", "Shop", "Configurations: changed “Shop”"],
      ["configurations.revert", "Shop", "Configurations: earlier version brought back to “Shop”"],
      ["apiKeys.deactivate", null, "Keys: revoked 7"],
      ["boards.remove", "The wall", "Boards: deleted “The wall”"],
      ["lanterns.lightUp", null, "lanterns: light up 7"]
    ]
    for (const [operation, name, words] of told)
      assert.strictEqual(operationWords({ operation, object: { kind: "any", id: "7", name } }), words)
  })

  it("name every kind of object that the log of changes tells of, so that it can be narrowed to each", () => {
    const named = new Set(auditedKinds.map(([kind]) => kind))
    const told = endpoints()
      .filter(({ name, method, requirement }) => isAudited(method, name, requirement))
      .map(({ name }) => name.split(".")[0] ?? name)
    assert.deepStrictEqual(
      told.filter((kind) => !named.has(kind)),
      []
    )
  })

  it("are found in any case and without accents, and by who writes Turkish", () => {
    const cases: ReadonlyArray<readonly [search: string, name: string, isFound: boolean]> = [
      ["izmir", "İzmir boss", true],
      ["İZMİR", "izmir boss", true],
      ["ısı", "Isı", true],
      ["zurich", "Spieler aus ZÜRICH", true],
      ["Zürich", "zurich", true],
      ["straße", "Hauptstraße", true],
      [" boss ", "İzmir Boss", true],
      ["izmit", "İzmir boss", false]
    ]
    for (const [search, name, expected] of cases) assert.strictEqual(isFound(search, name), expected, search)
  })

  it("take a day that the calendar does not have for none", () => {
    const read = (text: string) => auditCodec.read(new URLSearchParams(text))
    assert.deepInclude(read("from=2026-99-99&to=2026-02-30"), { from: "", to: "" })
    assert.deepInclude(read("from=2026-02-28&to=2026-03-01"), { from: "2026-02-28", to: "2026-03-01" })
  })

  it("speak of one permission and of several", () => {
    assert.match(deniedText("markers:read"), /^It needs the permission markers:read\. /)
    assert.match(
      deniedText("markers:read", "analytics:read"),
      /^It needs the permissions markers:read and analytics:read\. /
    )
  })

  it("tell of a mail of a webhook, which has no status, that it was sent", () => {
    const attempt = { at: "2026-11-29T10:00:00.000Z", millis: 35, status: null, answer: null, problem: null }
    assert.strictEqual(outcomeText({ state: "delivered", lastAttempt: attempt }), "mailed after 35 ms")
    assert.strictEqual(
      attemptText({ status: null, problem: "No answer within 15 seconds" }),
      "No answer within 15 seconds"
    )
    assert.strictEqual(
      outcomeText({ state: "delivered", lastAttempt: { ...attempt, status: 204 } }),
      "answered 204 after 35 ms"
    )
  })

  it("take the types of webhooks apart", () => {
    assert.deepStrictEqual(["experiment.rolloutChanged", "member.passwordLinkMade", "alert.fired"].map(typeText), [
      "rollout changed",
      "password link made",
      "fired"
    ])
  })

  it("count one thing as one", () => {
    assert.strictEqual(readText({ cached: false, rowsScanned: 1, elapsedMs: 0.2 }), "1 marker read in 1 ms")
    assert.strictEqual(readText({ cached: false, rowsScanned: 1200, elapsedMs: 7.6 }), "1,200 markers read in 8 ms")
    assert.strictEqual(readText({ cached: true, rowsScanned: 1200, elapsedMs: 7 }), "Answered from memory")
  })
})
