import { useQueries } from "@tanstack/react-query"
import { call } from "../api/client.ts"
import type { Where } from "../api/queries.ts"
import { place } from "../api/queries.ts"
import { pageOf } from "../saved/Kind.ts"
import type { Command } from "./Commands.ts"

/** Something of the project that has a name. */
export interface Findable extends Omit<Command, "run"> {
  /** What follows the environment in its address. */
  readonly address: string
}

type Found = ReadonlyArray<Findable>

/** Every entry of a list that comes in pages, which are as long as they may be. */
const everyPage = async <A>(
  ask: (query: {
    readonly limit: number
    readonly cursor: string | undefined
  }) => Promise<{ readonly items: ReadonlyArray<A>; readonly nextCursor: string | null }>,
  cursor?: string
): Promise<ReadonlyArray<A>> => {
  const { items, nextCursor } = await ask({ limit: 1000, cursor })
  return nextCursor === null ? items : [...items, ...(await everyPage(ask, nextCursor))]
}
type Load = (where: Where, signal: AbortSignal) => Promise<Found>

const questions: Load = async ({ applicationId }, signal) => {
  const items = await everyPage((query) => call("savedQueries.list", { path: { applicationId }, query, signal }))
  return items.map(({ id, name, queryType }) => ({
    key: `question ${id}`,
    group: "Questions",
    name,
    hint: queryType,
    icon: "chart",
    address: `${pageOf(queryType)}?q=${id}`
  }))
}

const boards: Load = async ({ applicationId }, signal) => {
  const items = await everyPage((query) => call("boards.list", { path: { applicationId }, query, signal }))
  return items.map(({ id, name }) => ({
    key: `board ${id}`,
    group: "Boards",
    name,
    icon: "retention",
    address: `boards/${id}`
  }))
}

const cohorts: Load = async ({ applicationId, environmentId: environment }, signal) => {
  const found = await call("cohorts.list", { path: { applicationId }, environment, signal })
  return found.map(({ id, name, kind }) => ({
    key: `cohort ${id}`,
    group: "Cohorts",
    name,
    hint: kind,
    icon: "person",
    address: `cohorts/${id}`
  }))
}

const heatmaps: Load = async ({ applicationId }, signal) => {
  const items = await everyPage((query) => call("heatmaps.list", { path: { applicationId }, query, signal }))
  return items.map(({ id, name }) => ({
    key: `heatmap ${id}`,
    group: "Heatmaps",
    name,
    icon: "map",
    address: `heatmaps?map=${id}`
  }))
}

const experiments: Load = async ({ applicationId, environmentId: environment }, signal) => {
  const found = await call("experiments.list", { path: { applicationId }, environment, signal })
  return found.map(({ id, name, status }) => ({
    key: `experiment ${id}`,
    group: "Experiments",
    name,
    hint: status,
    icon: "filter",
    address: `experiments/${id}`
  }))
}

const configurations: Load = async ({ applicationId, environmentId: environment }, signal) => {
  const found = await call("configurations.list", { path: { applicationId }, environment, signal })
  return found.map(({ id, name }) => ({
    key: `configuration ${id}`,
    group: "Configurations",
    name,
    icon: "checklist",
    address: `configurations/${id}`
  }))
}

const deeplinks: Load = async ({ applicationId }, signal) => {
  const found = await call("deeplinks.list", { path: { applicationId }, signal })
  return found.map(({ id, name, slug }) => ({
    key: `deeplink ${id}`,
    group: "Deeplinks",
    name,
    hint: slug,
    icon: "link",
    address: `deeplinks/${id}`
  }))
}

const markers: Load = async (where, signal) => {
  const found = await call("markers.types", { ...place(where), signal })
  return found.map(({ name }) => ({
    key: `marker ${name}`,
    group: "Markers",
    name,
    hint: "marker",
    icon: "tag",
    address: `plan?${new URLSearchParams({ type: name }).toString()}`
  }))
}

const alerts: Load = async (where, signal) => {
  const found = await call("alerts.list", { ...place(where), signal })
  return found.map(({ id, name, state }) => ({
    key: `alert ${id}`,
    group: "Alerts",
    name,
    hint: state,
    icon: "warning",
    address: `alerts/${id}`
  }))
}

const lists = { questions, boards, heatmaps, cohorts, experiments, configurations, deeplinks, markers, alerts }

/** Names of what the project holds. A list that one may not see, or that fails, is left out: the palette is no place to complain. */
export const useFindable = (where: Where): Found =>
  useQueries({
    queries: Object.entries(lists).map(([name, load]) => ({
      queryKey: ["palette", name, where],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => load(where, signal)
    }))
  }).flatMap(({ data }) => data ?? [])
