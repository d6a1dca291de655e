// Configurations and experiments at the limits of the contract.
import { big, type Case, configurations, get, keys, made, named, post, send, times, touched, write } from "./Attack.ts"

const link = (configurationId: number, path: ReadonlyArray<string>) => ({ $link: { configurationId, path } })

export const documents: ReadonlyArray<Case> = [
  {
    name: "1,000 links to 20,000 keys",
    isAnonymous: false,
    attack: async (attacker) => {
      const id = await big(attacker)
      const links = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`l${n}`, link(id, [`k${n}`])]))
      const linking = await made(attacker, { name: named("links"), configuration: links })
      return times(3, (turn) => touched(attacker, linking, turn))
    }
  },
  {
    name: "1,000 private paths of 20,000 keys",
    isAnonymous: false,
    attack: async (attacker) => {
      const privacy = Array.from({ length: 1_000 }, (_, n) => [`k${n}`])
      const id = await made(attacker, { name: named("private"), configuration: keys(20_000), privacy })
      return times(3, (turn) => touched(attacker, id, turn))
    }
  },
  {
    name: "PATCH of 1,000 changes of 20,000 keys",
    isAnonymous: false,
    attack: async (attacker) => {
      const id = await big(attacker)
      const changes = (turn: number) =>
        Array.from({ length: 1_000 }, (_, n) => ({ op: "set", path: [`k${n}`], value: `${turn}` }))
      return times(3, (turn) => write(attacker, "PATCH", `/${id}`, { changes: changes(turn) }))
    }
  },
  {
    name: "experiment of 2 × 400 operations on 2,000 keys",
    isAnonymous: false,
    attack: async (attacker) => {
      const id = await made(attacker, { name: named("base"), configuration: keys(2_000), isPrimary: true })
      const operations = Array.from({ length: 400 }, (_, n) => ({ op: "set", path: [`k${n}`], value: -n }))
      const groups = ["a", "b"].map((name) => ({ name, weight: 5000, changeset: { operations } }))
      const path = `/application/${attacker.studio.applicationId}/v2/experiments`
      const experiment = {
        name: named("wide"),
        unitType: "user",
        assignmentMode: "weightedHash",
        baseConfigurationId: id,
        groups
      }
      const created = await send(attacker, "POST", path, attacker.studio.cookie, JSON.stringify(experiment))
      const asked = await times(20, (turn) =>
        post(attacker, "/sdk/v2/configurations/evaluate", { unit: { type: "user", distinctId: `w${turn}` } })
      )
      return [created, ...asked]
    }
  },
  {
    name: "GET /sdk/v2/configs/{name} of 20,000 keys, 30 times",
    isAnonymous: false,
    attack: async (attacker) => {
      const name = named("older")
      await made(attacker, { name, alias: name.replace(" ", "-"), configuration: keys(20_000) })
      return times(30, () => get(attacker, `/sdk/v2/configs/${encodeURIComponent(name)}`))
    }
  },
  {
    name: "create 60,000 keys",
    isAnonymous: false,
    attack: (attacker) =>
      times(3, () => write(attacker, "POST", "", { name: named("wide"), configuration: keys(60_000) }))
  },
  {
    name: "list with documents",
    isAnonymous: false,
    attack: (attacker) =>
      times(3, () =>
        send(attacker, "GET", `${configurations(attacker)}s?include=configuration`, attacker.studio.cookie)
      )
  },
  {
    name: "a JSON Schema that never ends",
    isAnonymous: false,
    attack: (attacker) =>
      times(5, () =>
        write(attacker, "POST", "", {
          name: named("slow"),
          configuration: { a: `${"a".repeat(60)}!` },
          schema: { properties: { a: { pattern: "^(a+)+$" } } }
        })
      )
  }
]
