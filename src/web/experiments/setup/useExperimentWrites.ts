import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { BodyOf } from "../../api/Endpoints.ts"
import { call } from "../../api/client.ts"
import { ApiFailure } from "../../api/Failure.ts"
import type { Where } from "../../api/queries.ts"

const at = ({ applicationId, environmentId }: Where, experimentId: number) => ({
  path: { applicationId, experimentId },
  environment: environmentId
})

export const useRollout = (where: Where, experimentId: number) =>
  useQuery({
    queryKey: ["experiment rollout", where, experimentId],
    queryFn: ({ signal }) => call("experiments.rollout", { ...at(where, experimentId), signal })
  })

export const useGroupCounts = (where: Where, experimentId: number) =>
  useQuery({
    queryKey: ["experiment group counts", where, experimentId],
    queryFn: ({ signal }) => call("experiments.groupCounts", { ...at(where, experimentId), signal })
  })

/** What pages show of experiments; asked again after a write, and where the experiment is not what the page took it for. */
const shownOfExperiments = [
  "experiments",
  "experiment",
  "experiment rollout",
  "experiment group counts",
  "experiment verdict",
  "experiment-results",
  "configuration",
  "configurations"
]

/** Writes of one experiment. */
export const useExperimentWrites = (where: Where, experimentId: number) => {
  const client = useQueryClient()
  const forget = () =>
    Promise.all(shownOfExperiments.map((key) => client.invalidateQueries({ queryKey: [key] }))).then(() => undefined)
  const onSettled = () => forget()
  const update = useMutation({
    mutationFn: (body: BodyOf<"experiments.update">) =>
      call("experiments.update", { ...at(where, experimentId), body }),
    onSettled
  })
  const rollout = useMutation({
    mutationFn: (body: BodyOf<"experiments.changeRollout">) =>
      call("experiments.changeRollout", { ...at(where, experimentId), body }),
    onSettled
  })
  const end = useMutation({
    mutationFn: (body: NonNullable<BodyOf<"experiments.terminate">>) =>
      call("experiments.terminate", { ...at(where, experimentId), body }),
    onSettled
  })
  return { update, rollout, end } as const
}

const advice: Readonly<Record<string, string>> = {
  EXPERIMENT_ENDED: "Somebody has ended it meanwhile. What you see now is how it stands.",
  ROLLOUT_CONFLICT: "Somebody has changed it meanwhile. What you see now is how it stands.",
  HASH_MISMATCH: "Somebody has published the configuration meanwhile. Look at the changes again.",
  CONFIGURATION_INVALID: "With these changes the configuration would break its own rules."
}

const changed = "Nothing was done: somebody else has changed it meanwhile. Look at it again"

/** A refusal in the server's words, and what to do about it. */
export const refusalWords = (error: Error): string => {
  if (error instanceof ApiFailure && error.code === "EXPERIMENT_CHANGED") return changed
  const known = error instanceof ApiFailure ? advice[error.code] : undefined
  return known === undefined ? error.message : `${error.message}. ${known}`
}
