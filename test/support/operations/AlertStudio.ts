import { dayMillis, hourMillis } from "../../../src/domain/Durations.ts"
import { gameOf } from "../game/Game.ts"
import { eventually } from "../Npm.ts"
import { shiftedClock } from "../ShiftedClock.ts"
import type { Answer, Call } from "../TestApp.ts"
import { openStudio } from "../access/Studio.ts"

type Request = (method: string, path: string, call?: Call) => Promise<Answer>

/** A clock at which it is noon, so that no day ends while a test runs, and the midnight before. */
export const noon = () => {
  const clock = shiftedClock()
  const midnight = Math.floor(Date.now() / dayMillis) * dayMillis
  clock.state.shift = midnight + 12 * hourMillis - Date.now()
  return { clock, midnight }
}

/** A studio whose game has 60 to 66 starts a day for weeks, and 8 yesterday; what it saves and how its alerts are called. */
export const alertStudio = async (request: Request, name: string, midnight: number) => {
  const studio = await openStudio(request, name)
  const game = await gameOf(request, studio)
  const home = `/application/${studio.applicationId}/alerts`
  const preview = `/application/${studio.applicationId}/alert-preview`

  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = studio.cookie) =>
    request(method, path, {
      headers: { environment_id: String(studio.development), ...headers },
      ...(body === undefined ? {} : { body })
    })

  const made = (answer: Answer) => {
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body
  }
  const create = async (watch: object, more: object = {}) =>
    made(await call("POST", home, { name: "Fewer starts", watch, ...more }))
  const save = async (body: object): Promise<string> =>
    made(await call("POST", `/application/${studio.applicationId}/analytics/v1/queries`, { name: "Saved", ...body })).id

  /** The alert as soon as it has that state. */
  const state = (id: string, wanted: string) =>
    eventually(`an alert that is ${wanted}`, async () => {
      const { body } = await call("GET", `${home}/${id}`)
      return body.state === wanted ? body : undefined
    })

  /** So many players start on a day, counted back from the first one, and some of them go on. */
  const play = async (daysAgo: number, players: number, goingOn: number) => {
    const at = midnight - daysAgo * dayMillis + 9 * hourMillis
    const lines = Array.from({ length: players }, (_, player) =>
      ["Start", ...(player < goingOn ? ["StartNext"] : [])].map((type, step) =>
        JSON.stringify({
          uuid: crypto.randomUUID(),
          distinctId: `${daysAgo}-${player}`,
          type,
          timestamp: new Date(at + player * 1000 + step).toISOString()
        })
      )
    ).flat()
    const answer = await game.fill(`${lines.join("\n")}\n`)
    if (answer.status !== 200) throw new Error(answer.text)
  }

  for (let daysAgo = 40; daysAgo >= 2; daysAgo--) await play(daysAgo, 60 + (daysAgo % 7), 30)
  await play(1, 8, 2)
  const time = { step: "day", relative: { step: "day", value: 7 } }
  const metrics = [
    { id: "S", data: { type: "totalEvents", name: "Start" } },
    { id: "N", data: { type: "uniqueUsers", name: "StartNext" } }
  ]
  const breakdowns = [{ source: "property", name: "platform" }]
  const insight = await save({ queryType: "insight", spec: { time, metrics, breakdowns } })
  const steps = ["Start", "StartNext"].map((name) => ({ id: name, name }))
  const spec = { time, steps, conversionWindow: { step: "day", value: 7 } }
  const funnel = await save({ queryType: "funnel", spec })
  return { studio, home, preview, insight, funnel, call, create, save, state, play }
}
