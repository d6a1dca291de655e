import { assert, it } from "@effect/vitest"
import { checkOf, problemsOf } from "../../schema/Checks.ts"
import { CreateInvitation } from "../../schema/access/Invitations.ts"
import { RoleDefinition } from "../../schema/access/Roles.ts"
import { FunnelQuery } from "../../schema/analytics/Funnels.ts"
import { InsightQuery } from "../../schema/analytics/Insights.ts"
import { Changeset, CreateExperiment } from "../../schema/experiments/ExperimentRecord.ts"
import { nearestName } from "../../src/domain/NearestName.ts"

const said = (schema: Parameters<typeof checkOf>[0], value: unknown): string =>
  problemsOf(checkOf(schema, { isStrict: true }), value) ?? ""

const metrics = [{ id: "A", data: { type: "totalEvents", name: "Login" } }]
const time = { relative: { step: "day", value: 7 } }
const filtered = (filter: object) => ({ time, metrics, filters: [{ source: "argument", name: "price", ...filter }] })

it.each([
  [
    InsightQuery,
    { metrics },
    /^time: missing, expected an object, for example {"relative":{"step":"day","value":28}}$/
  ],
  [
    InsightQuery,
    { metrics, time: { absolute: 1 } },
    /^time\.relative: missing, expected an object, for example {"step":"day","value":28}, or from and to instead; time\.absolute: unknown field$/
  ],
  [
    FunnelQuery,
    { time, steps: ["Login", "Buy"], conversionWindow: "7d" },
    /^steps\.0: expected an object, for example {"id":"join","name":"Login"}; steps\.1: .*; conversionWindow: expected an object, for example {"step":"day","value":7}$/
  ],
  [InsightQuery, filtered({ operator: ">", value: 1 }), /^filters\.0\.operator: .*, did you mean greaterThan\?$/],
  [InsightQuery, filtered({ operator: "equals", value: 1 }), /^filters\.0\.operator: .*, did you mean equal\?$/],
  [InsightQuery, filtered({ operator: "nonsense", value: 1 }), /^filters\.0\.operator: expected one of [^?]*$/],
  [
    InsightQuery,
    { time, metrics, breakdowns: [{ source: "colour" }, { source: "argument" }, "country"] },
    /^breakdowns: expected a list of at most 2 items, found 3; breakdowns\.0\.source: .*; breakdowns\.0\.name: .*; breakdowns\.1\.name: .*; breakdowns\.2: expected an object/
  ],
  [
    Changeset,
    { operations: [{ op: "replace", path: "price", valeu: 1 }] },
    /^operations\.0\.op: expected one of set, add, delete; operations\.0\.path: expected a list of at most 32 items; operations\.0\.valeu: unknown field, did you mean value\?$/
  ],
  [Changeset, { operations: [{ path: 3 }] }, /^operations\.0\.op: missing, .*; operations\.0\.path: expected a list/],
  [
    RoleDefinition,
    { name: "x", permissions: ["analytics:write"] },
    /^permissions\.0: expected a permission of .*reference\/permissions lists, did you mean analytics:read\?$/
  ],
  [
    CreateInvitation,
    { email: "sam@studio.test", role: "Developer" },
    /^roleId: missing, .*; role: unknown field, send roleId, an id of GET \/organization\/{organizationId}\/v2\/roles$/
  ],
  [
    CreateExperiment,
    { ...{ name: "x", groups: {} } },
    /groups: expected a list of at most 8 items, for example \[{"name"/
  ]
])("H2: problems of %s with %j", (schema, body, message) => {
  assert.match(said(schema, body), message)
})

it("H2: an example in a message is JSON that the place takes", () => {
  const [, text = ""] = /for example (.*)$/.exec(said(InsightQuery, { metrics })) ?? []
  assert.strictEqual(said(InsightQuery, { metrics, time: JSON.parse(text) }), "")
  assert.isUndefined(nearestName("x".repeat(65), ["x"]))
})
