import { pause } from "../analytics/Analyst.ts"
import { keysOf } from "../Caller.ts"
import { bearer, caller } from "../Caller.ts"
import { gameOf } from "../game/Game.ts"
import type { Request, Studio } from "../access/Studio.ts"
import { openStudio } from "../access/Studio.ts"

const base = { price: 10, shop: { open: true, banner: "summer" }, secret: { odds: 0.1 } }

const changing = (path: ReadonlyArray<string>, value: unknown) => ({ operations: [{ op: "set", path, value }] })

/** A studio that experiments in development, and its game. */
export const laboratoryOf = async (request: Request, name: string) => {
  const studio: Studio = await openStudio(request, name)
  const game = await gameOf(request, studio)
  const root = `/application/${studio.applicationId}/v2`
  const call = caller(request, { ...studio.cookie, environment_id: String(studio.development) })
  let count = 0

  /** A new configuration of one document; the primary one when asked. */
  const configure = async (more: object = {}) => {
    const name = `configuration ${++count}`
    const { body } = await call("POST", `${root}/configuration`, { name, configuration: base, ...more })
    return body
  }

  /** What creates an experiment that changes the price of a configuration in its second group. */
  const plan = (baseConfigurationId: number, more: object = {}) => ({
    name: `experiment ${++count}`,
    unitType: "user",
    assignmentMode: "weightedHash",
    baseConfigurationId,
    groups: [
      { name: "control", weight: 5000, isControl: true, changeset: { operations: [] } },
      { name: "dear", weight: 5000, changeset: changing(["price"], 20) }
    ],
    ...more
  })

  const create = (baseConfigurationId: number, more: object = {}) =>
    call("POST", `${root}/experiments`, plan(baseConfigurationId, more))

  /** On a configuration of its own. */
  const begin = async (more: object = {}) => {
    const configuration = await configure()
    const { body } = await create(configuration.id, more)
    return { configuration, experiment: body, path: `${root}/experiments/${body.id}` }
  }

  const end = (path: string) => call("POST", `${path}/terminate`)

  const sdk = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    request(method, `/sdk/v2/${path}`, {
      headers: { ...bearer(game.publicKey), environment: "development", ...headers },
      ...(body === undefined ? {} : { body })
    })

  const evaluate = async (configuration: string, distinctId: string, properties: object = {}, more: object = {}) => {
    const unit = { type: "user", distinctId, ...more }
    const context = { schemaVersion: 1, properties }
    return (await sdk("POST", "configurations/evaluate", { configuration, unit, context })).body
  }

  const bulk = async (unitType: string, distinctIds: ReadonlyArray<string>, properties: object = {}) => {
    const units = distinctIds.map((distinctId) => ({ distinctId }))
    const sharedContext = { schemaVersion: 1, properties }
    return (await sdk("POST", "experiments/assignments/bulk", { unitType, units, sharedContext })).body.assignments
  }

  /** The exposures of an experiment that have markers. */
  const exposuresOf = async (path: string): Promise<number> => {
    const time = { step: "month", timezone: "UTC", relative: { step: "year", value: 2 } }
    const id = Number(path.slice(path.lastIndexOf("/") + 1))
    const filters = [{ source: "argument", name: "experimentId", operator: "is", value: id }]
    const metrics = [{ id: "A", data: { name: "$exposure", type: "totalEvents" } }]
    return (await game.query("insights/execute", { time, metrics, filters })).body.series[0].aggregate
  }

  /** The assignments of an experiment once everybody's exposure is written down, and its marker too. */
  const exposed = async (path: string): Promise<ReadonlyArray<{ distinctId: string; groupId: number }>> => {
    for (let turns = 0; turns < 20_000; turns++) {
      const { items } = (await call("GET", `${path}/assignments?pageSize=1000`)).body
      const isEach = items.every((each: { firstExposedAt: unknown }) => each.firstExposedAt !== null)
      if (isEach && (await exposuresOf(path)) >= items.length) return items
      await pause()
    }
    throw new Error("Exposures were waited for in vain")
  }

  return {
    exposed,
    exposuresOf,
    studio,
    game,
    root,
    call,
    configure,
    plan,
    create,
    begin,
    end,
    sdk,
    evaluate,
    bulk,
    changing,
    keysOf
  }
}

export type Laboratory = Awaited<ReturnType<typeof laboratoryOf>>

export const units = (count: number, prefix = "u"): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`)
