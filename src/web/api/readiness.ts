import { useQuery } from "@tanstack/react-query"
import { minuteMillis } from "../../domain/Durations.ts"
import { failureOf } from "./Failure.ts"
import type { Answer } from "./Wire.ts"

type Readiness = Answer<"system.ready">

export type ServerProblem = Readiness["problems"][number]

/** A server that is not ready says with 503 what is wrong; a proxy before it says nothing of that kind. */
const readiness = async (signal: AbortSignal): Promise<Readiness> => {
  const response = await fetch("/ready", { signal, cache: "no-store" })
  const isOurs = response.headers.get("content-type")?.startsWith("application/json") === true
  if (response.status !== 200 && !(response.status === 503 && isOurs)) return Promise.reject(await failureOf(response))
  const answer: Partial<Readiness> = await response.json()
  return { status: "ready", stores: { metadata: true, events: true }, problems: [], ...answer }
}

/** What is wrong with the server's stores and its disk; nothing as long as that is not known. */
export const useServerProblems = (): ReadonlyArray<ServerProblem> =>
  useQuery({ queryKey: ["ready"], refetchInterval: minuteMillis, queryFn: ({ signal }) => readiness(signal) }).data
    ?.problems ?? []
