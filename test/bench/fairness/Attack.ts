// How the cases of the benchmark of fairness speak to the server.
import { Agent, request } from "node:http"
import type { Request, Studio } from "../../support/access/Studio.ts"

export interface Attacker {
  readonly url: string
  readonly call: Request
  readonly studio: Studio
  readonly key: string
  /** An experiment with a million assignments. */
  readonly crowded: number
  /** A deeplink with many clicks and conversions. */
  readonly followed: string
  readonly streams: number
}

export interface Case {
  readonly name: string
  /** Whether it needs no credential: then the aim for /health is 10 ms, not 100. */
  readonly isAnonymous: boolean
  /** Answers the statuses that it got. */
  readonly attack: (attacker: Attacker) => Promise<ReadonlyArray<number>>
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

export const send = (
  { url }: Attacker,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | Uint8Array = ""
) =>
  new Promise<number>((resolve) => {
    const typed = body.length === 0 ? {} : { "content-type": "application/json" }
    const sent = request(
      url + path,
      { method, agent, headers: { ...typed, ...headers, "content-length": Buffer.byteLength(body) } },
      (response) => response.resume().on("end", () => resolve(response.statusCode ?? 0))
    )
    sent.on("error", () => resolve(0)).end(body)
  })

export const times = async <A>(count: number, work: (turn: number) => Promise<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for (let turn = 0; turn < count; turn++) all.push(await work(turn))
  return all
}

export const atOnce = <A>(count: number, work: (turn: number) => Promise<A>): Promise<ReadonlyArray<A>> =>
  Promise.all(Array.from({ length: count }, (_, turn) => work(turn)))

export const keys = (count: number, prefix = "k") =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, index]))

export const game = ({ key }: Attacker) => ({ authorization: key, environment: "production" })

export const get = (attacker: Attacker, path: string) => send(attacker, "GET", path, game(attacker))

export const post = (attacker: Attacker, path: string, body: object) =>
  send(attacker, "POST", path, game(attacker), JSON.stringify(body))

export const configurations = ({ studio }: Attacker) => `/application/${studio.applicationId}/v2/configuration`

export const write = (attacker: Attacker, method: string, path: string, body: object) =>
  send(attacker, method, configurations(attacker) + path, attacker.studio.cookie, JSON.stringify(body))

export const made = async (attacker: Attacker, body: object): Promise<number> => {
  const { call, studio } = attacker
  const answer = await call("POST", configurations(attacker), { headers: studio.cookie, body })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.id
}

/** Every answer that rests on the configurations is made anew. */
export const touched = async (attacker: Attacker, id: number, turn: number) => {
  await write(attacker, "PATCH", `/${id}`, { changes: [{ op: "set", path: ["touched"], value: turn }] })
  return get(attacker, "/sdk/v2/status")
}

let names = 0
export const named = (name: string) => `${name} ${names++}`

const bigOf = new Map<Attacker, Promise<number>>()

/** A configuration of 20,000 keys. */
export const big = (attacker: Attacker): Promise<number> => {
  const known = bigOf.get(attacker) ?? made(attacker, { name: named("big"), configuration: keys(20_000) })
  bigOf.set(attacker, known)
  return known
}
