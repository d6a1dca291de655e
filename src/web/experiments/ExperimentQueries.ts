import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query"
import { minuteMillis } from "../../domain/Durations.ts"
import { call } from "../api/client.ts"
import type { Where } from "../api/queries.ts"
import type { Answer } from "../api/Wire.ts"
import type { Counting } from "./ExperimentState.ts"
import type { Experiment } from "./ExperimentWords.ts"
import { isOpen } from "./ExperimentWords.ts"

export type Scorecard = Answer<"experiments.results">
export type MetricResult = Scorecard["metrics"][number]
export type Comparison = MetricResult["comparisons"][number]

const placeOf = ({ applicationId, environmentId }: Where, experimentId: number) => ({
  path: { applicationId, experimentId },
  environment: environmentId
})

export const experimentQuery = (where: Where, experimentId: number) =>
  queryOptions({
    queryKey: ["experiment", where, experimentId],
    queryFn: ({ signal }) => call("experiments.get", { ...placeOf(where, experimentId), signal })
  })

export const useExperiment = (where: Where, experimentId: number) => useQuery(experimentQuery(where, experimentId))

const resultsQuery = (where: Where, { id, status }: Experiment, { prior, correction, multipleExposure }: Counting) =>
  queryOptions({
    queryKey: ["experiment-results", where, id, status, prior, correction, multipleExposure],
    queryFn: ({ signal }) =>
      call("experiments.results", {
        ...placeOf(where, id),
        query: { prior, correction, multipleExposure },
        signal
      }),
    refetchInterval: isOpen({ status }) ? minuteMillis : false
  })

/** What the experiment has shown, counted as asked; asked again every minute while it runs. */
export const useResults = (where: Where, experiment: Experiment, counting: Counting) =>
  useQuery({ ...resultsQuery(where, experiment, counting), placeholderData: keepPreviousData })

const usual = { prior: "flat", correction: "holm", multipleExposure: "exclude" } as const

/** The ids of groups that were dropped, which only results tell apart from those that take nobody for now. */
export const useDropped = (where: Where, experiment: Experiment): ReadonlySet<number> => {
  const mayBe = experiment.groups.some(({ weight }) => weight === 0)
  const { data } = useQuery({ ...resultsQuery(where, experiment, usual), enabled: mayBe })
  return new Set(data?.groups.filter(({ dropped }) => dropped).map(({ groupId }) => groupId))
}
