import { assert, beforeAll, describe, it } from "@effect/vitest"
import { refused } from "../../support/Caller.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const openShop = { properties: { shop: { properties: { open: { const: true } } } } }
/** What is dear is sold in an open shop. */
const schema = { anyOf: [{ properties: { price: { maximum: 15 } } }, openShop] }
const shut = [{ op: "set", path: ["shop", "open"], value: false }]

describe.each(stores)("the base of a running experiment over %s", (_, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  /** The message of a refused change. */
  const refusal = async (path: string, change: object): Promise<string> => {
    const answer = await lab.call("PATCH", path, change)
    refused(answer, 422, "CONFIGURATION_INVALID")
    return answer.body.message
  }

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  it("is not changed into one whose schema a group would break", async () => {
    const { id, configuration: document, version } = await lab.configure({ schema })
    const experiment = await lab.create(id)
    assert.strictEqual(experiment.status, 201)
    const path = `${lab.root}/configuration/${id}`
    const message = await refusal(path, { changes: shut })
    assert.include(message, `group dear (experiment ${experiment.body.id})`)
    const checked = await lab.call("POST", `${path}/check`, {
      configuration: { ...document, shop: { ...document.shop, open: false } }
    })
    assert.deepStrictEqual(checked.body, { total: 1, problems: [{ path: [], message }] })
    const narrow = { properties: { price: { maximum: 12 } } }
    assert.include(await refusal(path, { schema: narrow }), `group dear (experiment ${experiment.body.id}).price`)
    assert.strictEqual((await lab.call("GET", path)).body.version, version)
    assert.strictEqual((await lab.call("PATCH", path, { description: "Said of it" })).status, 200)
    await lab.end(`${lab.root}/experiments/${experiment.body.id}`)
    assert.strictEqual((await lab.call("PATCH", path, { changes: shut })).status, 200)
  })

  it("is changed as a group would not have it once that was dropped, since nobody gets its changes", async () => {
    const { id } = await lab.configure({ schema })
    const { body } = await lab.create(id)
    const path = `${lab.root}/configuration/${id}`
    await refusal(path, { changes: shut })
    const dropGroupIds = [body.groups[1].id]
    assert.strictEqual((await lab.call("PATCH", `${lab.root}/experiments/${body.id}`, { dropGroupIds })).status, 200)
    assert.strictEqual((await lab.call("PATCH", path, { changes: shut })).status, 200)
  })

  it("is not changed through what it links to", async () => {
    const linked = await lab.configure({ configuration: { open: true } })
    const shop = { open: { $link: { configurationId: linked.id, path: ["open"] } } }
    const { id } = await lab.configure({ configuration: { price: 10, shop }, schema })
    const experiment = await lab.create(id)
    assert.strictEqual(experiment.status, 201)
    const changes = [{ op: "set", path: ["open"], value: false }]
    const message = await refusal(`${lab.root}/configuration/${linked.id}`, { changes })
    assert.include(message, `group dear (experiment ${experiment.body.id})`)
  })

  it("keeps the link behind which a group changes something, and may have other links changed", async () => {
    const [linked, other] = [
      await lab.configure({ configuration: { price: 10 } }),
      await lab.configure({ configuration: { price: 77 } })
    ]
    const to = ({ id }: { readonly id: number }) => ({ $link: { configurationId: id } })
    const { id, name, version } = await lab.configure({ configuration: { shop: to(linked), bank: to(linked) } })
    const groups = [
      { name: "control", weight: 5000, isControl: true },
      { name: "dear", weight: 5000, changeset: lab.changing(["shop", "price"], 20) }
    ]
    const experiment = (await lab.create(id, { groups })).body
    const path = `${lab.root}/configuration/${id}`
    const said = `Experiment ${experiment.id} holds configuration.shop until it ends: end it first`
    for (const shop of [to(other), { price: 10 }, { gems: 1 }]) {
      const patched = await lab.call("PATCH", path, { changes: [{ op: "set", path: ["shop"], value: shop }] })
      refused(patched, 409, "PATH_LOCKED")
      assert.strictEqual(patched.body.message, said)
      const document = { shop, bank: to(other) }
      refused(await lab.call("PUT", path, { name, configuration: document }), 409, "PATH_LOCKED")
      const { body } = await lab.call("POST", `${path}/check`, { configuration: document })
      assert.deepStrictEqual(body.problems[0], { path: ["shop"], message: `Experiment ${experiment.id} holds it` })
    }
    assert.strictEqual((await lab.call("GET", path)).body.version, version)
    const beside = [{ op: "set", path: ["bank"], value: to(other) }]
    assert.strictEqual((await lab.call("PATCH", path, { changes: beside })).status, 200)
    await lab.end(`${lab.root}/experiments/${experiment.id}`)
    const after = [{ op: "set", path: ["shop"], value: to(other) }]
    assert.strictEqual((await lab.call("PATCH", path, { changes: after })).status, 200)
  })

  it.each([
    ["an object of it", ["shop", "box", "price"]],
    ["a key of it", ["shop", "price"]]
  ])("does not end as if it had taken what the winner changes behind a link: %s", async (_, path) => {
    const linked = await lab.configure({ configuration: { price: 10, box: { price: 10 } } })
    const shop = { $link: { configurationId: linked.id } }
    const base = await lab.configure({ configuration: { shop, gems: 1 } })
    const operations = [
      { op: "set", path: ["gems"], value: 2 },
      { op: "set", path, value: 15 }
    ]
    const groups = [
      { name: "control", weight: 5000, isControl: true },
      { name: "dear", weight: 5000, changeset: { operations } }
    ]
    const { body } = await lab.create(base.id, { groups })
    const experiment = `${lab.root}/experiments/${body.id}`
    const won = { winnerGroupId: body.groups[1].id, applyToBase: true }
    const refusal = await lab.call("POST", `${experiment}/terminate`, won)
    refused(refusal, 422, "CONFIGURATION_INVALID")
    assert.include(refusal.body.message, "configuration.shop is a link")
    assert.strictEqual((await lab.call("GET", experiment)).body.status, "active")
    assert.deepStrictEqual((await lab.call("GET", `${lab.root}/configuration/${base.id}`)).body, base)
    assert.strictEqual((await lab.call("POST", `${experiment}/terminate`, { ...won, applyToBase: false })).status, 200)
  })

  it("takes no winner that a group of another experiment would break the schema with", async () => {
    const base = await lab.configure({ schema })
    const shutting = [
      { name: "control", weight: 5000, isControl: true },
      { name: "shut", weight: 5000, changeset: { operations: shut } }
    ]
    const [dear, closed] = [(await lab.create(base.id)).body, (await lab.create(base.id, { groups: shutting })).body]
    const [one, other] = [dear, closed].map(({ id }) => `${lab.root}/experiments/${id}`)
    const won = { winnerGroupId: dear.groups[1].id, applyToBase: true }
    const refusal = await lab.call("POST", `${one}/terminate`, won)
    refused(refusal, 422, "CONFIGURATION_INVALID")
    assert.include(refusal.body.message, `group shut (experiment ${closed.id})`)
    assert.strictEqual((await lab.call("GET", one!)).body.status, "active")
    assert.deepStrictEqual((await lab.call("GET", `${lab.root}/configuration/${base.id}`)).body, base)
    await lab.end(other!)
    assert.strictEqual((await lab.call("POST", `${one}/terminate`, won)).status, 200)
  })

  it("takes a link that the winner replaces, with what it sets there afterwards", async () => {
    const linked = await lab.configure({ configuration: { price: 10 } })
    const base = await lab.configure({ configuration: { shop: { $link: { configurationId: linked.id } } } })
    const operations = [
      { op: "set", path: ["shop"], value: {} },
      { op: "set", path: ["shop", "price"], value: 15 }
    ]
    const groups = [
      { name: "control", weight: 5000, isControl: true },
      { name: "dear", weight: 5000, changeset: { operations } }
    ]
    const { body } = await lab.create(base.id, { groups })
    const won = { winnerGroupId: body.groups[1].id, applyToBase: true }
    assert.strictEqual((await lab.call("POST", `${lab.root}/experiments/${body.id}/terminate`, won)).status, 200)
    const after = (await lab.call("GET", `${lab.root}/configuration/${base.id}`)).body
    assert.deepStrictEqual(after.configuration, { shop: { price: 15 } })
  })
})
