import { createHash } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import type { MixedStudio, Worker } from "./MixedStudio.ts"

const perBatch = 40
/** Types whose markers are sent once, each with a player of its own: as many players as markers means that none is there twice. */
const types = ["Level", "Buy", "Quit"]

const headers = { environment: "development" }

/** A game that sends batch after batch, and what was not acknowledged again. */
const ingestWorker = (studio: MixedStudio, client: number, ledger: { sent: number; acknowledged: number }): Worker => {
  const open: Array<number> = []
  let next = 0
  const markers = (batch: number) =>
    Array.from({ length: perBatch }, (_, at) => ({
      markerId: createHash("md5").update(`${client} ${batch} ${at}`).digest("hex"),
      timestamp: Date.now() - 60_000,
      eventName: types[at % types.length],
      distinctId: `client ${client} batch ${batch} ${at}`,
      properties: { batch, at, half: at / 2 }
    }))
  const step = async () => {
    if (open.length === 0) {
      open.push(next++)
      ledger.sent += perBatch
    }
    const { body } = await studio.firm(() => studio.lab.game.send(markers(open[0] ?? 0), headers))
    if (body.ingestedMarkersCount + body.duplicateMarkersCount !== perBatch) throw new Error(JSON.stringify(body))
    open.shift()
    ledger.acknowledged += perBatch
    await setTimeout(5)
  }
  return { name: `client ${client}`, step, check: async () => [], acknowledged: () => next - open.length }
}

/** Several games, and one who counts what all of them have sent. */
export const ingestWorkers = (studio: MixedStudio, clients: number): ReadonlyArray<Worker> => {
  const ledger = { sent: 0, acknowledged: 0 }
  const games = Array.from({ length: clients }, (_, client) => ingestWorker(studio, client, ledger))
  const check = async () => {
    const [markers, players] = await studio.counted(types)
    const said = `${markers} markers of ${players} players are there; ${ledger.acknowledged} were acknowledged, ${ledger.sent} sent`
    return markers === players && markers >= ledger.acknowledged && markers <= ledger.sent ? [] : [said]
  }
  const first = games[0]
  return first === undefined ? [] : [{ ...first, check }, ...games.slice(1)]
}

/** Players that come, one after the other, and are erased. */
export const erasingWorker = (studio: MixedStudio): Worker => {
  const gone: Array<string> = []
  let present: { readonly unitId: string; isSent: boolean; isAsked: boolean } | null = null
  let count = 0
  const path = (unitId: string) => `${studio.application}/players/${encodeURIComponent(unitId)}`
  const markers = (unitId: string) =>
    Array.from({ length: 12 }, (_, at) => ({ timestamp: Date.now() - at, eventName: "Doomed", distinctId: unitId }))
  const step = async () => {
    // Whose markers were not acknowledged sends them again: a kill may have left them there, and nobody else erases that player.
    const player = (present ??= { unitId: `doomed ${count++}`, isSent: false, isAsked: false })
    if (!player.isSent) await studio.firm(() => studio.lab.game.send(markers(player.unitId), headers))
    player.isSent = true
    player.isAsked = true
    await studio.call("DELETE", path(player.unitId))
    gone.push(player.unitId)
    present = null
    await setTimeout(100)
  }
  const check = async () => {
    const wrong: Array<string> = []
    // An erasure that a kill cut off is begun again by the server itself; who asks once more may find nobody left.
    if (present?.isAsked === true) {
      const doomed = path(present.unitId)
      const { status, text } = await studio.patient(() => studio.lab.call("DELETE", doomed))
      if (status !== 200 && status !== 404) wrong.push(`${present.unitId}: ${text}`)
      gone.push(present.unitId)
      present = null
    }
    for (const unitId of gone.slice(-5)) {
      const { status } = await studio.patient(() => studio.lab.call("GET", path(unitId)))
      if (status !== 404) wrong.push(`${unitId} was erased and is there: ${status}`)
    }
    const [left, players] = await studio.counted(["Doomed"])
    if (players > (present === null ? 0 : 1)) wrong.push(`${left} markers of ${players} erased players are there`)
    return wrong
  }
  return { name: "erasures", step, check, acknowledged: () => gone.length }
}
