import { queryOptions, useQuery } from "@tanstack/react-query"
import { call } from "../api/client.ts"
import type { Where } from "../api/queries.ts"
import type { Answer } from "../api/Wire.ts"

export type Configuration = Answer<"configurations.get">
export type Entry = Answer<"configurations.list">[number]

const place = ({ applicationId, environmentId }: Where) => ({ path: { applicationId }, environment: environmentId })

export const configurationsKey = (where: Where) => ["configurations", where]

export const useConfigurations = (where: Where, isWanted = true) =>
  useQuery({
    queryKey: configurationsKey(where),
    enabled: isWanted,
    queryFn: ({ signal }) => call("configurations.list", { ...place(where), signal })
  })

export const configurationQuery = (where: Where, configurationId: number) =>
  queryOptions({
    queryKey: ["configuration", where, configurationId],
    queryFn: ({ signal }) =>
      call("configurations.get", {
        path: { applicationId: where.applicationId, configurationId },
        environment: where.environmentId,
        signal
      })
  })

export const useExperiments = (where: Where, isAllowed: boolean) =>
  useQuery({
    queryKey: ["experiments", where],
    enabled: isAllowed,
    queryFn: ({ signal }) => call("experiments.list", { ...place(where), signal })
  })

export const useVersions = (where: Where, configurationId: number, cursor: string | undefined) =>
  useQuery({
    queryKey: ["configuration-versions", where, configurationId, cursor ?? ""],
    queryFn: ({ signal }) =>
      call("configurations.versions", {
        path: { applicationId: where.applicationId, configurationId },
        environment: where.environmentId,
        query: { limit: 50, cursor },
        signal
      })
  })

export const useDiff = (where: Where, configurationId: number, from: number, to: number) =>
  useQuery({
    queryKey: ["configuration-diff", where, configurationId, from, to],
    enabled: from !== to,
    queryFn: ({ signal }) =>
      call("configurations.diff", {
        path: { applicationId: where.applicationId, configurationId },
        environment: where.environmentId,
        query: { from, to },
        signal
      })
  })
