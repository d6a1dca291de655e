import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query"
import { minuteMillis } from "../../domain/Durations.ts"
import { call } from "../api/client.ts"
import type { Where } from "../api/queries.ts"
import type { Answer } from "../api/Wire.ts"

export type Experiment = Answer<"experiments.get">
export type Group = Experiment["groups"][number]
export type Scorecard = Answer<"experiments.results">
export type MetricResult = Scorecard["metrics"][number]
export type Comparison = MetricResult["comparisons"][number]

/** Whether the experiment is over, as planned or by hand. */
export const hasEnded = ({ status }: Pick<Experiment, "status">): boolean =>
  status === "completed" || status === "terminated"

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

/** What the experiment has shown; asked again every minute while it runs. */
export const useResults = (where: Where, { id, status }: Experiment) =>
  useQuery({
    queryKey: ["experiment-results", where, id, status],
    queryFn: ({ signal }) => call("experiments.results", { ...placeOf(where, id), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: hasEnded({ status }) ? false : minuteMillis
  })

/** The base as it is written, for who may read configurations. */
export const useBase = (where: Where, configurationId: number, isAllowed: boolean) =>
  useQuery({
    queryKey: ["configuration", where, configurationId],
    enabled: isAllowed,
    queryFn: ({ signal }) =>
      call("configurations.get", {
        path: { applicationId: where.applicationId, configurationId },
        environment: where.environmentId,
        signal
      })
  })
