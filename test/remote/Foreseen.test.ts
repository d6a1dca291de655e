import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { apply } from "../../src/remote/Apply.ts"
import { plan } from "../../src/remote/Plan.ts"
import type { ComparisonRequest } from "../../src/remote/ServerState.ts"
import { MemoryStores } from "../../src/app/Layers.ts"
import { mintPersonalToken, openStudio } from "../support/access/Studio.ts"
import { refusedBy, remoteOver, writeJson } from "../support/configuration/RemoteFiles.ts"
import { withFolder } from "../support/Server.ts"
import { testApp } from "../support/TestApp.ts"

const reading = ["organization:read", "projects:read", "configurations:read", "cohorts:read", "analytics:read"]
const writing = ["configurations:write", "cohorts:write", "queries:write"]

const kinds = ["configurations", "cohorts", "queries", "boards"] as const

const schema = { type: "object", properties: { price: { type: "integer", maximum: 100 } } }

const condition = (more: object) => ({
  type: "stopped",
  marker: "Login",
  quietFor: { value: 14, unit: "day" },
  ...more
})
const lastDays = { window: { last: 90, unit: "day" } }
const cohort = (name: string, ...children: ReadonlyArray<object>) => ({ name, definition: { op: "and", children } })
const inCohort = (name: string) => ({ type: "cohort", cohort: name, in: true })

const logins = (spec: object) => ({
  name: "Logins",
  queryType: "insight",
  spec: {
    time: { step: "day", relative: { step: "day", value: 7 } },
    metrics: [{ id: "logins", data: { type: "totalEvents", name: "Login" } }],
    ...spec
  }
})

const tile = (more: object) => ({ query: "Logins", x: 0, y: 0, w: 6, h: 4, ...more })

/** What the server has before each case. */
const present: Record<string, object> = {
  "configurations/shop.json": { name: "Shop", configuration: { price: 10 }, schema },
  "configurations/sale.json": {
    name: "Sale",
    configuration: { price: { $link: { configuration: "Rate", path: ["now"] } } },
    schema
  },
  "configurations/rate.json": { name: "Rate", configuration: { now: 50 } },
  "cohorts/lapsed.json": cohort("Lapsed", condition(lastDays)),
  "cohorts/again.json": cohort("Again", inCohort("Lapsed")),
  "queries/logins.json": logins({}),
  "boards/morning.json": { name: "Morning", tiles: [tile({})] }
}

interface Case {
  readonly title: string
  /** Written over what is there; null is a file that is not. */
  readonly files: Record<string, object | string | null>
  readonly problems: ReadonlyArray<RegExp>
  readonly asked?: Partial<ComparisonRequest>
}

const cases: ReadonlyArray<Case> = [
  {
    title: "a value that the schema of its own file forbids, and every other such value",
    files: {
      "configurations/shop.json": { name: "Shop", configuration: { price: 101 }, schema },
      "configurations/new.json": { name: "New", configuration: { price: "free" }, schema }
    },
    problems: [/shop\.json: configuration\.price: must be <= 100/, /new\.json: configuration\.price: must be integer/]
  },
  {
    title: "a value that the schema of another configuration forbids, which links to it",
    files: { "configurations/rate.json": { name: "Rate", configuration: { now: 500 } } },
    problems: [/rate\.json: Sale links to it: configuration\.price: must be <= 100/]
  },
  {
    title: "a schema that is none",
    files: { "configurations/shop.json": { name: "Shop", configuration: {}, schema: { type: "dog" } } },
    problems: [/shop\.json: schema: .*type/]
  },
  {
    title: "what no body of a request may hold, and numbers that JSON cannot give back",
    files: {
      "configurations/shop.json": '{"name": "Shop", "configuration": {"a": [["x\\u0000"]], "b": {"__proto__": 1}}}',
      "cohorts/again.json": { ...cohort("Again", inCohort("Lapsed")), description: "\ud83d" },
      "configurations/new.json": '{"name": "New", "configuration": {"price": 1e400}}'
    },
    problems: [
      /shop\.json: configuration\.a\[0\]\[0\]: expected text without the character U\+0000/,
      /shop\.json: configuration\.b\.__proto__: no field may have this name/,
      /again\.json: description: expected well-formed Unicode text/,
      /new\.json: it has a number that is too large/
    ]
  },
  {
    title: "links that lead nowhere, and back",
    files: {
      "configurations/rate.json": {
        name: "Rate",
        configuration: { now: { $link: { configuration: "Sale", path: ["price"] } } }
      },
      "configurations/shop.json": {
        name: "Shop",
        configuration: { price: { $link: { configuration: "Rate", path: ["then"] } } }
      }
    },
    problems: [
      /rate\.json: configuration\.now: links back to itself/,
      /shop\.json: configuration\.price: links to what is not/
    ]
  },
  {
    title: "a name that is another's alias",
    files: { "configurations/new.json": { name: "New", alias: "Shop", configuration: {} } },
    problems: [/new\.json: Shop answers to Shop already/]
  },
  {
    title: "the removal of what others need",
    files: { "configurations/rate.json": null, "cohorts/lapsed.json": null },
    asked: { prune: true },
    problems: [
      /configurations\/Rate: it cannot be removed: Sale links to it/,
      /cohorts\/Lapsed: it cannot be removed: Again refers to it/
    ]
  },
  {
    title: "cohorts that make no sense, go round in circles, or lose their members",
    files: {
      "cohorts/again.json": cohort("Again", condition({ window: { sinceFirstSeen: [3, 1] } })),
      "cohorts/lapsed.json": cohort("Lapsed", inCohort("Again"), inCohort("Lapsed"))
    },
    problems: [
      /again\.json: .*sinceFirstSeen: the first day lies after the last/,
      /lapsed\.json: definition: depends on itself: Lapsed → Lapsed/
    ]
  },
  {
    title: "a dynamic cohort that becomes static",
    files: { "cohorts/again.json": { name: "Again", kind: "static" } },
    problems: [/again\.json: kind: a cohort becomes static with its members/]
  },
  {
    title: "two new cohorts that refer to each other",
    files: { "cohorts/one.json": cohort("One", inCohort("Two")), "cohorts/two.json": cohort("Two", inCohort("One")) },
    problems: [
      /two\.json: definition: refers to the cohort One, which is not there when it is written/,
      /one\.json: definition: depends on itself: One → Two → One/
    ]
  },
  {
    title: "a question that cannot be asked, and tiles beside the board",
    files: {
      "queries/logins.json": logins({
        time: { step: "day", timezone: "Mars/Base", relative: { step: "day", value: 7 } }
      }),
      "boards/morning.json": { name: "Morning", tiles: [tile({}), tile({ x: 3 }), tile({ x: 8, y: 9 })] }
    },
    problems: [
      /logins\.json: .*Mars\/Base/,
      /morning\.json: tiles\.2: x \+ w is 14/,
      /morning\.json: tiles\.1: it overlaps tiles\.0/
    ]
  }
]

describe("what apply will be refused for", () => {
  const { request } = testApp(MemoryStores)
  let writer: string
  let reader: string

  const writeAll = (folder: string, files: Record<string, object | string | null>) => {
    for (const [file, content] of Object.entries({ ...present, ...files }))
      if (content !== null) writeJson(folder, file, content)
  }

  beforeAll(async () => {
    const studio = await openStudio(request, "seer")
    writer = await mintPersonalToken(request, studio, { permissions: [...reading, ...writing] })
    reader = await mintPersonalToken(request, studio, { permissions: reading })
    await withFolder(async (folder) => {
      writeAll(folder, {})
      const { run, asked } = remoteOver(request, writer)
      await run(apply(asked(folder, { kinds })))
    })
  })

  it.each(cases)("plan names $title", ({ files, problems, asked: more = {} }) =>
    withFolder(async (folder) => {
      writeAll(folder, files)
      const { run, asked } = remoteOver(request, reader)
      const { message, code } = await run(refusedBy(plan(asked(folder, { kinds, ...more }))))
      assert.strictEqual(code, "FILES_INVALID", message)
      for (const problem of problems) assert.match(message, problem)
      assert.lengthOf(message.split("\n"), 1 + problems.length, message)
    })
  )

  it("a folder that is not there is refused before any server is asked", () =>
    withFolder(async (folder) => {
      const { run, asked } = remoteOver(request, writer, () => Promise.reject(new Error("asked")))
      const missing = `${folder}/lvie`
      const all = asked(missing, { prune: true, pruneAll: true })
      for (const refused of [await run(Effect.flip(plan(all))), await run(Effect.flip(apply(all)))])
        assert.strictEqual(refused.message, `There is no folder ${missing}`)
    }))

  it("a kind without a file is not pruned as a whole unless that is asked for", () =>
    withFolder(async (folder) => {
      writeAll(folder, { "boards/morning.json": null })
      const { run, asked } = remoteOver(request, reader)
      const pruned = asked(folder, { kinds, prune: true })
      for (const refused of [await run(refusedBy(plan(pruned))), await run(refusedBy(apply(pruned)))]) {
        assert.strictEqual(refused.code, "NO_FILES", refused.message)
        assert.match(refused.message, /has no file of boards, so --prune would remove all/)
      }
      const { report } = await run(plan({ ...pruned, pruneAll: true }))
      assert.deepStrictEqual(
        report.changes.map(({ action, name }) => [action, name]),
        [["remove", "Morning"]]
      )
    }))

  it("a file that cannot be read is all that is wrong with those that need it", () =>
    withFolder(async (folder) => {
      writeAll(folder, {
        "configurations/new.json": { name: "New", configuration: {}, prize: 1 },
        "configurations/other.json": { name: "Other", configuration: { $link: { configuration: "New" } } }
      })
      const { run, asked } = remoteOver(request, reader)
      const { message } = await run(Effect.flip(plan(asked(folder, { kinds }))))
      assert.match(message, /new\.json: prize: /)
      assert.notInclude(message, "other.json")
    }))
})
