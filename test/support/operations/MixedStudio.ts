import { cohortAnalystOf } from "../cohorts/CohortAnalyst.ts"
import { laboratoryOf } from "../experiments/Laboratory.ts"
import type { Answer } from "../TestApp.ts"
import type { Request } from "../access/Studio.ts"
import { fetchRequest } from "../Server.ts"

/** What one who works while servers are killed has been promised, and what they find afterwards. */
export interface Worker {
  readonly name: string
  /** Does one thing more; fails where the server is gone. */
  readonly step: () => Promise<void>
  /** Compares what is there with what was acknowledged; each text says what is wrong. */
  readonly check: () => Promise<ReadonlyArray<string>>
  /** Writes that were acknowledged so far. */
  readonly acknowledged: () => number
}

/** The server refused what is always good. */
export class Refused extends Error {}

const busy = new Set([429, 503])

/** A studio of a server that is started again and again, at another address each time. */
export const mixedStudio = async (url: string) => {
  const at = { url }
  const request: Request = (method, path, call) => fetchRequest(at.url)(method, path, call)
  const lab = await laboratoryOf(request, "ada")
  const analyst = cohortAnalystOf(request, lab.studio)

  /** The answer, once the server is not too busy to give one. */
  const patient = async (ask: () => Promise<Answer>): Promise<Answer> => {
    for (;;) {
      const answer = await ask()
      if (!busy.has(answer.status)) return answer
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** The same where it is always good. */
  const firm = async (ask: () => Promise<Answer>): Promise<Answer> => {
    const answer = await patient(ask)
    if (answer.status >= 400) throw new Refused(`${answer.status} ${answer.text.slice(0, 300)}`)
    return answer
  }

  const call = (method: string, path: string, body?: unknown) => firm(() => lab.call(method, path, body))

  /** Markers of a type in development and their players, as questions count them. */
  const counted = async (names: ReadonlyArray<string>): Promise<readonly [number, number]> => {
    const time = { step: "month", timezone: "UTC", relative: { step: "year", value: 2 } }
    const metrics = ["totalEvents", "uniqueUsers"].map((type) => ({ id: type, data: { type, name: names } }))
    const { body } = await firm(() => lab.game.query("insights/execute", { time, metrics }))
    const [markers, players] = body.series.map(({ aggregate }: { readonly aggregate: number }) => aggregate)
    return [markers, players]
  }

  const application = `/application/${lab.studio.applicationId}`
  return { at, request, lab, analyst, patient, firm, call, counted, application }
}

export type MixedStudio = Awaited<ReturnType<typeof mixedStudio>>
