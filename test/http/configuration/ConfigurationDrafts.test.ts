import { assert, beforeAll, describe, it } from "@effect/vitest"
import { joinAs, keysOf, refused } from "../../support/Caller.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const schema = {
  properties: { price: { type: "number" }, shop: { properties: { items: { items: { type: "string" } } } } }
}

interface Told {
  readonly path: ReadonlyArray<string>
  readonly message: string
}

const cases: ReadonlyArray<
  readonly [what: string, document: object, problems: ReadonlyArray<readonly [string, RegExp]>]
> = [
  ["nothing of a sound document", { price: 3, shop: { items: ["a"] } }, []],
  [
    "every place that breaks the schema",
    { price: "much", shop: { items: ["a", 2] } },
    [
      ["price", /number/],
      ["shop.items.1", /string/]
    ]
  ],
  [
    "a link that leads nowhere",
    { shop: { banner: { $link: { configurationId: 987654 } } } },
    [["shop.banner", /not in this environment/]]
  ]
]

describe.each(stores)("drafts of configurations over %s", (_, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  const check = (id: number, configuration: unknown, headers: Record<string, string> = {}) =>
    request("POST", `${lab.root}/configuration/${id}/check`, {
      headers: { ...lab.studio.cookie, environment_id: String(lab.studio.development), ...headers },
      body: { configuration }
    })

  it.each(cases)("tell %s", async (_what, document, problems) => {
    const { id, version } = await lab.configure({ configuration: { price: 1 }, schema })
    const { status, body } = await check(id, document)
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(keysOf(body), ["problems", "total"])
    assert.strictEqual(body.total, problems.length)
    const told = body.problems.toSorted((one: Told, other: Told) => (one.path.join() < other.path.join() ? -1 : 1))
    for (const [index, [path, message]] of problems.entries()) {
      assert.strictEqual(told[index].path.join("."), path)
      assert.match(told[index].message, message)
    }
    const present = (await lab.call("GET", `${lab.root}/configuration/${id}`)).body
    assert.deepStrictEqual([present.version, present.configuration], [version, { price: 1 }])
  })

  it("tell what an experiment holds, and what configurations that link to them would not bear", async () => {
    const { configuration, experiment } = await lab.begin()
    const { body } = await check(configuration.id, { ...configuration.configuration, price: 11 })
    assert.deepStrictEqual(body, {
      total: 1,
      problems: [{ path: ["price"], message: `Experiment ${experiment.id} holds it` }]
    })
    const { id } = await lab.configure({ configuration: { banner: "summer" } })
    const linking = await lab.configure({
      configuration: { shown: { $link: { configurationId: id, path: ["banner"] } } },
      schema: { properties: { shown: { type: "string" } } }
    })
    const above = (await check(id, { banner: 1 })).body.problems
    assert.deepStrictEqual(
      above.map(({ path }: Told) => path),
      [[]]
    )
    assert.include(above[0].message, `configuration ${linking.id} (${linking.name}).shown`)
  })

  it("are refused where one may not write, or nothing is there", async () => {
    const { id } = await lab.configure()
    const viewer = await joinAs(request, lab.studio, "viewer", "Viewer")
    refused(await check(id, {}, viewer.cookie), 403, "FORBIDDEN")
    refused(await check(987654, {}), 404, "CONFIGURATION_NOT_FOUND")
    for (const document of [null, [], "x"]) refused(await check(id, document), 400, "VALIDATION_FAILED")
  })
})
