import { Clock, Effect } from "effect"
import { failuresKeptMillis } from "../../domain/operations/alerts/ServerWatch.ts"

/** Failures of one job that are remembered. */
const mostFailures = 20

/** What the server notices of itself without being asked: how many requests failed, and which jobs. It is called on the way of every request. */
export class ServerCounts extends Effect.Service<ServerCounts>()("services/operations/ServerCounts", {
  sync: () => {
    let [answered, failed, unavailable] = [0, 0, 0]
    const rounds = new Map<string, ReadonlyArray<number>>()

    /** A request was answered with that status. */
    const noteAnswer = (status: number): void => {
      answered += 1
      if (status >= 500) failed += 1
      if (status === 503) unavailable += 1
    }

    /** A round of a job has failed. */
    const noteFailure = (job: string) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        rounds.set(job, [...(rounds.get(job) ?? []), now].slice(-mostFailures))
      })

    const totals = () => ({ answered, failed, unavailable })

    /** Instants (epoch ms) of failures that are not long ago, by job. */
    const failures = (now: number): Readonly<Record<string, ReadonlyArray<number>>> =>
      Object.fromEntries(
        [...rounds].map(([job, instants]) => [job, instants.filter((instant) => instant > now - failuresKeptMillis)])
      )

    return { noteAnswer, noteFailure, totals, failures } as const
  }
}) {}
