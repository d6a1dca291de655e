import { setTimeout } from "node:timers/promises"
import { atLeast } from "../cohorts/CohortAnalyst.ts"
import { bearer } from "../Caller.ts"
import type { MixedStudio, Worker } from "./MixedStudio.ts"

/** The price that a new configuration has. */
const first = 10

/** Counts a configuration's value up. */
export const configurationWorker = async (studio: MixedStudio): Promise<Worker> => {
  const { id } = await studio.lab.configure()
  const path = `${studio.application}/v2/configuration/${id}`
  let [sent, acknowledged] = [first, first]
  const step = async () => {
    const value = ++sent
    await studio.call("PATCH", path, { changes: [{ op: "set", path: ["price"], value }] })
    acknowledged = value
    await setTimeout(60)
  }
  const check = async () => {
    const { body } = await studio.call("GET", path)
    const { price } = body.configuration
    const said = `a configuration has ${price}; ${acknowledged} was acknowledged, ${sent} sent`
    const isRight = price === acknowledged || price === sent
    acknowledged = sent
    await studio.call("PATCH", path, { changes: [{ op: "set", path: ["price"], value: sent }] })
    return isRight ? [] : [said]
  }
  return { name: "configurations", step, check, acknowledged: () => acknowledged - first }
}

interface Experiment {
  readonly path: string
  readonly id: number
  readonly groups: Map<string, number>
  percent: number
  sent: number
}

/** Experiments whose share grows while units are put into groups in turn, so that each has to be remembered. */
export const experimentWorker = (studio: MixedStudio): Worker => {
  const { lab } = studio
  let running: Experiment | null = null
  let [units, acknowledged] = [0, 0]

  const assigned = async (names: ReadonlyArray<string>, id: number) => {
    const body = { unitType: "user", units: names.map((distinctId) => ({ distinctId })) }
    const answer = await studio.firm(() => lab.sdk("POST", "experiments/assignments/bulk", body))
    const all = Object.entries(answer.body.assignments as Record<string, ReadonlyArray<Record<string, number>>>)
    return all.flatMap(([unit, found]) =>
      found.flatMap(({ experimentId, groupId }) => (experimentId === id ? [[unit, groupId ?? -1] as const] : []))
    )
  }

  const begin = async (): Promise<Experiment> => {
    const { body: configuration } = await studio.call("POST", `${lab.root}/configuration`, {
      name: `base ${crypto.randomUUID()}`,
      configuration: { price: 10 }
    })
    const plan = lab.plan(configuration.id, {
      name: `experiment ${crypto.randomUUID()}`,
      assignmentMode: "roundRobin",
      rollout: { percent: 20 }
    })
    const { body } = await studio.call("POST", `${lab.root}/experiments`, plan)
    return { path: `${lab.root}/experiments/${body.id}`, id: body.id, groups: new Map(), percent: 20, sent: 20 }
  }

  const step = async () => {
    const experiment = (running ??= await begin())
    const names = Array.from({ length: 5 }, () => `unit ${units++}`)
    for (const [unit, group] of await assigned(names, experiment.id)) experiment.groups.set(unit, group)
    acknowledged++
    if (experiment.percent < 100) {
      experiment.sent = experiment.percent + 1
      await studio.call("PATCH", `${experiment.path}/rollout`, { action: "set", percent: experiment.sent })
      experiment.percent = experiment.sent
      acknowledged++
    } else {
      await lab.end(experiment.path)
      running = null
    }
    await setTimeout(60)
  }

  const check = async () => {
    if (running === null) return []
    const wrong: Array<string> = []
    const { path, id, groups, percent, sent } = running
    const { body } = await studio.call("GET", `${path}/rollout`)
    if (body.percent !== percent && body.percent !== sent)
      wrong.push(`an experiment is at ${body.percent} %; ${percent} was acknowledged, ${sent} sent`)
    running.percent = body.percent
    const { status } = (await studio.call("GET", path)).body
    if (status !== "active") running = null
    const known = [...groups].slice(-200)
    const isAsked = status === "active" && known.length > 0
    const names = known.map(([unit]) => unit)
    const found = new Map(isAsked ? await assigned(names, id) : known)
    for (const [unit, group] of known)
      if (found.get(unit) !== group) wrong.push(`${unit} was in group ${group} and is in ${found.get(unit)}`)
    return wrong
  }
  return { name: "experiments", step, check, acknowledged: () => acknowledged }
}

/** Lists come and go, and one definition is computed anew all the while. */
export const cohortWorker = async (studio: MixedStudio): Promise<Worker> => {
  const lists = new Map<number, number>()
  const removed: Array<number> = []
  const defined = (await studio.analyst.define("players", atLeast(1, "Level"))).id
  let [count, acknowledged] = [0, 0]
  const base = `${studio.application}/analytics/v1/cohorts`
  let leaving: number | null = null
  const change = (more: number) =>
    studio.lab.call("PUT", `${base}/${defined}`, { name: `players ${more}`, definition: atLeast(1, "Level") })

  const step = async () => {
    const members = 1 + (count % 9)
    const unitIds = Array.from({ length: members }, (_, at) => `client 0 batch ${at} 0`)
    const { body } = await studio.call("POST", base, { name: `list ${count++}`, kind: "static", unitIds })
    lists.set(body.id, members)
    const [oldest] = lists.keys()
    if (lists.size > 4 && oldest !== undefined) {
      leaving = oldest
      lists.delete(oldest)
      await studio.call("DELETE", `${base}/${oldest}`)
      removed.push(oldest)
      leaving = null
    }
    await change(count)
    acknowledged++
    await setTimeout(100)
  }

  const check = async () => {
    const wrong: Array<string> = []
    const { body } = await studio.call("GET", base)
    const found = new Map(
      (body as ReadonlyArray<{ id: number; memberCount: number }>).map(({ id, memberCount }) => [id, memberCount])
    )
    for (const [id, members] of lists) {
      const listed = (await studio.call("GET", `${base}/${id}/members`)).body.items.length
      if (found.get(id) !== members || listed !== members)
        wrong.push(`list ${id} has ${found.get(id)} members, ${listed} listed; ${members} were acknowledged`)
    }
    for (const id of removed.slice(-5)) if (found.has(id)) wrong.push(`list ${id} was removed and is there`)
    if (leaving !== null && found.has(leaving)) await studio.call("DELETE", `${base}/${leaving}`)
    leaving = null
    if (!found.has(defined)) wrong.push("the cohort with a definition is gone")
    return wrong
  }
  return { name: "cohorts", step, check, acknowledged: () => acknowledged }
}

/** A key gets a new secret, again and again. */
export const keyWorker = async (studio: MixedStudio): Promise<Worker> => {
  const { request, lab } = studio
  const base = `/organization/${lab.studio.organizationId}/api-keys`
  const headers = lab.studio.cookie
  const { applicationId, development } = lab.studio
  const made = await studio.firm(() =>
    request("POST", base, {
      headers,
      body: { type: "public", name: "rotated", applicationId, environmentIds: [development], permissions: ["sdk:read"] }
    })
  )
  const id: number = made.body.id
  let token: string = made.body.token
  const ended: Array<string> = []
  let isAsked = false
  let acknowledged = 0
  const rotate = async () => {
    isAsked = true
    const { body } = await studio.firm(() => request("POST", `${base}/${id}/rotate`, { headers, body: {} }))
    ended.push(token)
    token = body.token
    isAsked = false
  }
  const step = async () => {
    await rotate()
    acknowledged++
    await setTimeout(100)
  }
  const works = async (secret: string) => {
    const headers = { ...bearer(secret), environment: "development" }
    const { status } = await studio.patient(() => request("GET", "/sdk/v2/status", { headers }))
    return status === 200
  }
  const check = async () => {
    const wrong: Array<string> = []
    const isWorking = await works(token)
    // Whoever was killed while a secret was given never learnt of it, and the one before may have ended.
    if (!isWorking && !isAsked) wrong.push("the secret that was acknowledged last does not work")
    for (const secret of ended.slice(-3)) if (await works(secret)) wrong.push("a secret that was replaced works")
    await rotate()
    return wrong
  }
  return { name: "keys", step, check, acknowledged: () => acknowledged }
}

/** Nobody's work: each entry of the log of changes follows from the one before. */
export const auditWorker = ({ request, lab, patient }: MixedStudio): Worker => ({
  name: "log of changes",
  step: () => setTimeout(500),
  check: async () => {
    const path = `/organization/${lab.studio.organizationId}/audit-log/verification`
    const { status, text, body } = await patient(() => request("GET", path, { headers: lab.studio.cookie }))
    return status === 200 && body.intact === true ? [] : [`the log of changes: ${text}`]
  },
  acknowledged: () => 0
})
