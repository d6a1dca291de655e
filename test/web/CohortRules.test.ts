import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import { CohortDefinition, lapsedSpenders } from "../../schema/cohorts/CohortDefinition.ts"
import { ExperimentId } from "../../src/domain/Ids.ts"
import { csvOf } from "../../src/domain/analytics/table/Csv.ts"
import { measuringAlone, referringTo, usageWords } from "../../src/web/cohorts/CohortWords.ts"
import { definitionBody } from "../../src/web/cohorts/DefinitionOf.ts"
import { dailyHistory } from "../../src/web/cohorts/History.ts"
import { playerListOf } from "../../src/web/cohorts/PlayerList.ts"
import type { RuleCondition } from "../../src/web/cohorts/Rules.ts"
import { freshCondition, freshGroup, kinds, measures, noMarker, replaced } from "../../src/web/cohorts/Rules.ts"
import { groupOf } from "../../src/web/cohorts/RulesOf.ts"
import { sentenceOf } from "../../src/web/cohorts/RuleWords.ts"

const nothing = { cohort: () => null, experiment: () => null, group: () => null }
const decode = Schema.decodeUnknownSync(CohortDefinition)
const encode = Schema.encodeSync(CohortDefinition)

const name = fc.string({ minLength: 1, maxLength: 12 })
const whole = fc.integer({ min: 1, max: 900 }).map(String)
const span = fc.record({ amount: whole, unit: fc.constantFrom("minute" as const, "day" as const, "month" as const) })
const day = fc.integer({ min: 0, max: 300 })
const dateOf = (days: number) => new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10)
const window = fc.oneof(
  span.map((each) => ({ kind: "last" as const, span: each })),
  fc.tuple(day, day).map(([from, more]) => ({ kind: "dates" as const, from: dateOf(from), to: dateOf(from + more) })),
  fc
    .tuple(day, day)
    .map(([from, more]) => ({ kind: "firstSeen" as const, from: String(from), to: String(from + more) }))
)
const filter = fc.record({
  source: fc.constantFrom("argument" as const, "property" as const),
  name,
  operator: fc.constantFrom("is" as const, "notContains" as const, "isSet" as const),
  values: fc.array(name, { minLength: 1, maxLength: 3 })
})
const marked = fc.record({
  names: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
  filters: fc.array(filter, { maxLength: 2 }),
  match: fc.constantFrom("all" as const, "any" as const)
})

const condition: fc.Arbitrary<RuleCondition> = fc
  .record({
    kind: fc.constantFrom(...kinds.map(({ value }) => value)),
    marked,
    next: marked,
    measure: fc.constantFrom(...measures.map(({ value }) => value)),
    argument: name,
    comparison: fc.constantFrom("greaterThanOrEqual" as const, "between" as const, "notEqual" as const),
    value: whole,
    high: fc.constant("1000"),
    window,
    span,
    property: filter.map((each) => ({ ...each, source: "property" as const })),
    isIn: fc.boolean(),
    referred: fc.integer({ min: 1, max: 99 }),
    groupId: fc.option(fc.integer({ min: 1, max: 9 }))
  })
  .map((fields) => ({ ...freshCondition(), ...fields }))

const group = fc
  .record({
    op: fc.constantFrom("and" as const, "or" as const),
    negate: fc.boolean(),
    own: fc.array(condition, { minLength: 1, maxLength: 3 }),
    inner: fc.array(condition, { maxLength: 2 })
  })
  .map(({ op, negate, own, inner }) => ({
    ...freshGroup(inner.length === 0 ? own : [...own, freshGroup(inner, "or")], op),
    negate
  }))

describe("rules of cohorts", () => {
  it("what the editor writes, the API reads, and the editor reads again to the same", () => {
    const zones = fc.constantFrom("UTC", "America/New_York", "Asia/Kathmandu")
    fc.assert(
      fc.property(group, zones, (rules, zone) => {
        const written = definitionBody(rules, zone)
        assert.isNotNull(written)
        const answered = encode(decode(written))
        const again = groupOf(answered, zone)
        assert.notInclude(JSON.stringify(again), '"foreign"')
        assert.deepStrictEqual(decode(definitionBody(again, zone)), decode(written))
      })
    )
  })

  it("a definition made elsewhere is kept, whatever the editor knows of it", () => {
    const strange = decode({
      op: "and",
      children: [
        { type: "property", name: "level", operator: "between", value: [3, 5] },
        { type: "firstTime", marker: "Login", window: { from: "2026-11-01T07:30:00Z", to: "2026-11-02T00:00:00Z" } },
        ...lapsedSpenders.children
      ]
    })
    const read = groupOf(encode(strange), "UTC")
    assert.deepStrictEqual(
      read.children.map(({ type }) => type),
      ["foreign", "foreign", "condition", "condition"]
    )
    assert.deepStrictEqual(decode(definitionBody(read, "UTC")), strange)
  })

  const sentences: ReadonlyArray<readonly [expected: string, children: ReadonlyArray<object>, negate?: boolean]> = [
    [
      "Players who did LevelCompleted at least 2 times in the last 7 days and did not do Purchase in the last 7 days",
      [
        {
          type: "behaviour",
          marker: "LevelCompleted",
          measure: "count",
          operator: "greaterThanOrEqual",
          value: 2,
          window: { last: 7, unit: "day" }
        },
        {
          type: "behaviour",
          did: false,
          marker: "Purchase",
          measure: "count",
          operator: "greaterThanOrEqual",
          value: 1,
          window: { last: 7, unit: "day" }
        }
      ]
    ],
    [
      "Players whose platform is ios or android and (who did Login for the first time in the last day or are not in the cohort number 3)",
      [
        { type: "property", name: "platform", operator: "is", value: ["ios", "android"] },
        {
          op: "or",
          children: [
            { type: "firstTime", marker: "Login", window: { last: 1, unit: "day" } },
            { type: "cohort", cohortId: 3, in: false }
          ]
        }
      ]
    ],
    [
      "All players but those who did ItemBought with price of at least 500 as sum in the last 90 days and did Login in the last 90 days but not in the last 14 days",
      lapsedSpenders.children,
      true
    ]
  ]
  it.each(sentences)("%s", (expected, children, negate = false) => {
    const definition = encode(decode({ op: "and", negate, children }))
    assert.strictEqual(sentenceOf(groupOf(definition, "UTC"), nothing), expected)
  })

  it("an unfinished condition makes no definition, and a group without conditions goes", () => {
    const first = freshCondition("Login")
    const unfinished = freshCondition()
    assert.isNull(definitionBody(freshGroup([first, unfinished]), "UTC"))
    assert.isNull(definitionBody(freshGroup([]), "UTC"))
    assert.isNull(definitionBody(freshGroup([{ ...first, marked: noMarker }]), "UTC"))
    assert.isNull(definitionBody(freshGroup([{ ...first, value: "" }]), "UTC"))
    const nested = freshGroup([first, freshGroup([unfinished])])
    assert.deepStrictEqual(replaced(nested, unfinished.key, null).children, [first])
  })
})

describe("lists of players", () => {
  const lists: ReadonlyArray<
    readonly [text: string, ids: ReadonlyArray<string>, repeated: number, heading: string | null]
  > = [
    ["a\nb\r\na\n\n", ["a", "b"], 1, null],
    ["player_id,name\np1,Ada\np2,Bob", ["p1", "p2"], 0, "player_id"],
    ['\uFEFF"user id";x\n"say ""hi""";1\n7;2', ['say "hi"', "7"], 0, "user id"],
    ['player id,note\r\np1,"first\nsecond"\r\np2,"\r\n"\r\n"p\n3",x', ["p1", "p2", "p\n3"], 0, "player id"],
    ['"p1\np2,"a"b\n\t"x"\np3,"', ['"p1', "p2", "p3"], 0, null],
    ["identity\nuser", ["identity", "user"], 0, null],
    ["", [], 0, null]
  ]
  it.each(lists)("%j", (text, ids, repeated, heading) => {
    const { tooLong, ...read } = playerListOf(text)
    assert.deepStrictEqual({ ...read }, { ids, repeated, heading })
    assert.deepStrictEqual(tooLong, [])
  })

  it("reads the tables that this product writes, with the ids that a spreadsheet would calculate", () => {
    const ids = ["-Mx1", "+49", "=x", "@ada", "o'hara", "'quoted", "a;b", "-a,b"]
    const table = csvOf([["player", "last seen"], ...ids.map((id) => [id, "2026-11-20T10:00:00Z"])])
    assert.deepStrictEqual(playerListOf(table).ids, ids)
  })

  it("a quote that nothing closes belongs to its line, however much follows", () => {
    assert.strictEqual(playerListOf(`"first\n${"player\n".repeat(1_000_000)}`).ids.length, 2)
  })

  it("names the lines that are no ids", () => {
    assert.deepStrictEqual(playerListOf(`ok\n${"x".repeat(257)}\nfine`).tooLong, [2])
    assert.deepStrictEqual(playerListOf(`a,"1\r\n2"\r\n${"x".repeat(257)}`).tooLong, [3])
    assert.deepStrictEqual(playerListOf(`${"🎮".repeat(256)}\n${"🎮".repeat(257)}`).tooLong, [2])
  })
})

describe("the history of a cohort", () => {
  it("is by day of the zone, and a day without a computation keeps its size", () => {
    const run = (at: string, memberCount: number, entered: number, left: number) => ({ at, memberCount, entered, left })
    const history = [
      run("2026-11-19T23:30:00Z", 5, 5, 0),
      run("2026-11-20T10:00:00Z", 7, 3, 1),
      run("2026-11-22T01:00:00Z", 6, 0, 1)
    ]
    const now = Date.parse("2026-11-22T12:00:00Z")
    assert.deepStrictEqual(dailyHistory(history, "Europe/Berlin", now), {
      buckets: ["2026-11-19T23:00:00.000Z", "2026-11-20T23:00:00.000Z", "2026-11-21T23:00:00.000Z"],
      sizes: [7, 7, 6],
      entered: [8, 0, 0],
      left: [1, 0, 1]
    })
    assert.lengthOf(dailyHistory([run("2025-01-01T00:00:00Z", 1, 1, 0)], "UTC", now).buckets, 90)
  })
})

const experiment = (id: number) => ({ id: ExperimentId.make(id), name: `experiment ${id}`, status: "active" as const })

describe("what uses a cohort, in words", () => {
  it("counts an experiment once that targets the cohort and has a metric filtered by it", () => {
    const use = {
      experiments: [experiment(1), experiment(2)],
      metricExperiments: [experiment(2), experiment(3)],
      queries: []
    }
    assert.strictEqual(usageWords(use, 1), "3 experiments, 1 cohort")
    assert.deepStrictEqual(measuringAlone(use), [experiment(3)])
    assert.strictEqual(usageWords({ ...use, experiments: [] }, 0), "2 experiments")
    assert.strictEqual(usageWords({ experiments: [], metricExperiments: [], queries: [] }, 0), "nobody yet")
  })

  it("finds the cohorts that rules of others name, each once, at any depth", () => {
    const named = (cohortId: number) => ({ type: "cohort", cohortId })
    const definition = (children: ReadonlyArray<object>) => encode(decode({ op: "and", children }))
    const cohorts = [
      { name: "deep", definition: definition([named(7), { op: "or", children: [named(8), named(7)] }]) },
      { name: "flat", definition: definition([named(7)]) },
      { name: "list", definition: null }
    ]
    const found = [...referringTo(cohorts, "UTC")].map(([id, others]) => [id, others.map(({ name }) => name)])
    assert.deepStrictEqual(found, [
      [7, ["deep", "flat"]],
      [8, ["deep"]]
    ])
  })
})
