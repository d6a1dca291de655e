import { keepPreviousData, QueryClient, queryOptions, skipToken, useQuery } from "@tanstack/react-query"
import type { BodyOf } from "./Endpoints.ts"
import { call } from "./client.ts"
import { isWorthRetrying, retryPause } from "./Retrying.ts"
import { startedOf } from "./Started.ts"
import { learnOrganization, learnProject } from "./Rights.ts"
import type { Answer } from "./Wire.ts"

/** Milliseconds for which an answer is not asked again. */
const freshFor = 15_000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: freshFor, retry: isWorthRetrying, retryDelay: retryPause, refetchOnWindowFocus: false },
    mutations: { retry: false }
  }
})

export const meQuery = queryOptions({ queryKey: ["me"], queryFn: ({ signal }) => call("users.me", { signal }) })

export const useMe = () => useQuery(meQuery)

export const useAccounts = () =>
  useQuery({ queryKey: ["accounts"], queryFn: ({ signal }) => call("accounts.list", { signal }) })

/** Who may sign up on this server. */
export const useSignUpPolicy = () =>
  useQuery({ queryKey: ["sign-up"], queryFn: ({ signal }) => call("accounts.signUpPolicy", { signal }) })

/** Whether people can have passkeys on this server. */
export const usePasskeyPolicy = () =>
  useQuery({ queryKey: ["passkey-policy"], queryFn: ({ signal }) => call("passkeys.policy", { signal }) })

/** How people who have lost their password get back in by themselves. */
export const usePasswordResetWays = () =>
  useQuery({ queryKey: ["password-reset"], queryFn: ({ signal }) => call("passwordResets.ways", { signal }) })

/** What the provider is called through which people sign in, if there is one. */
export const useOidcPolicy = () =>
  useQuery({ queryKey: ["oidc"], queryFn: ({ signal }) => call("openId.policy", { signal }) })

export const organizationsQuery = queryOptions({
  queryKey: ["organizations"],
  queryFn: async ({ signal }) => {
    const organizations = await call("organizations.list", { signal })
    for (const { id, role } of organizations) learnOrganization(id, role.permissions)
    return organizations
  }
})

export const useOrganizations = () => useQuery(organizationsQuery)

export const applicationQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ["application", applicationId],
    queryFn: ({ signal }) => call("projects.get", { path: { applicationId }, signal })
  })

export const useApplication = (applicationId: number) => useQuery(applicationQuery(applicationId))

/** What this person may do in the project. */
export const permissionsQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ["permissions", applicationId],
    queryFn: async ({ signal }) => {
      const { permissions } = await call("projects.permissions", { path: { applicationId }, signal })
      learnProject(applicationId, permissions)
      return permissions
    }
  })

export const usePermissions = (applicationId: number) => useQuery(permissionsQuery(applicationId))

export const environmentsQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ["environments", applicationId],
    queryFn: ({ signal }) => call("environments.list", { path: { applicationId }, signal })
  })

export const useEnvironments = (applicationId: number) => useQuery(environmentsQuery(applicationId))

/** The environment of a project that a page asks about. */
export interface Where {
  readonly applicationId: number
  readonly environmentId: number
}

/** How a call says where it asks. */
export const place = ({ applicationId, environmentId }: Where) => ({
  path: { applicationId },
  environment: environmentId
})

export const markerTypesQuery = (where: Where) =>
  queryOptions({
    queryKey: ["types", where],
    queryFn: ({ signal }) => call("markers.types", { ...place(where), signal })
  })

export const useMarkerTypes = (where: Where, everyMilliseconds: number | false = false) =>
  useQuery({ ...markerTypesQuery(where), refetchInterval: everyMilliseconds })

export const argumentsQuery = (where: Where) =>
  queryOptions({
    queryKey: ["arguments", where],
    queryFn: ({ signal }) => call("markers.arguments", { ...place(where), signal })
  })

export const useArguments = (where: Where) => useQuery(argumentsQuery(where))

export const propertiesQuery = (where: Where) =>
  queryOptions({
    queryKey: ["properties", where],
    queryFn: ({ signal }) => call("markers.properties", { ...place(where), signal })
  })

export const useProperties = (where: Where) => useQuery(propertiesQuery(where))

/** Values that are asked for at once. */
export const valuesAsked = 100

/**
 * Values of an argument or property that hold the text, most frequent first. Those of the text before stay until the next ones are there;
 * a text that nobody looks for any more is cancelled.
 */
export const useValues = (where: Where, source: "argument" | "property", name: string, search = "") =>
  useQuery<Answer<"markers.argumentValues">>({
    queryKey: ["values", where, source, name, search],
    enabled: name !== "",
    placeholderData: (before, query) => (query?.queryKey[3] === name ? before : undefined),
    queryFn: ({ signal }) =>
      call(source === "argument" ? "markers.argumentValues" : "markers.propertyValues", {
        ...place(where),
        query: { name, search, limit: valuesAsked },
        signal
      })
  })

/** Cohorts of the environment; while one is being computed they are asked for again and again. */
export const useCohorts = (where: Where, isWanted = true) =>
  useQuery({
    queryKey: ["cohorts", where],
    queryFn: isWanted ? ({ signal }) => call("cohorts.list", { ...place(where), signal }) : skipToken,
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === "computing") === true ? 2000 : false)
  })

const experimentsQuery = (where: Where, isWanted: boolean) =>
  queryOptions({
    queryKey: ["experiments", where],
    queryFn: isWanted ? ({ signal }) => call("experiments.list", { ...place(where), signal }) : skipToken
  })

/** Experiments of the environment that have been started or planned to start, for who may see them. */
export const useExperiments = (where: Where, isWanted = true) =>
  useQuery({ ...experimentsQuery(where, isWanted), select: startedOf })

/** The same with drafts. */
export const useExperimentsAndDrafts = (where: Where) => useQuery(experimentsQuery(where, true))

export const insightKey = (where: Where, body: BodyOf<"queries.insights"> | null) => ["insight", where, body] as const
export const funnelKey = (where: Where, body: BodyOf<"queries.funnels"> | null) => ["funnel", where, body] as const
export const retentionKey = (where: Where, body: BodyOf<"queries.retention"> | null) =>
  ["retention", where, body] as const

/** A question of insights. Each answer comes with what was asked, which the page may have changed meanwhile. */
export const insightQuery = <Asked>(where: Where, body: BodyOf<"queries.insights">, asked: Asked) =>
  queryOptions<{ readonly answer: Answer<"queries.insights">; readonly asked: Asked }>({
    queryKey: insightKey(where, body),
    queryFn: ({ signal }) =>
      call("queries.insights", { ...place(where), body, signal }).then((answer) => ({ answer, asked }))
  })

/** An answer stays on the screen until the next one is there; a question that nobody asks any more is cancelled. */
export const useInsight = <Asked>(where: Where, body: BodyOf<"queries.insights"> | null, asked: Asked) =>
  useQuery<{ readonly answer: Answer<"queries.insights">; readonly asked: Asked }>({
    ...(body === null
      ? { queryKey: insightKey(where, body), queryFn: skipToken }
      : insightQuery<Asked>(where, body, asked)),
    placeholderData: keepPreviousData
  })

/** A question of funnels, answered like one of insights. */
export const useFunnel = <Asked>(where: Where, body: BodyOf<"queries.funnels"> | null, asked: Asked) =>
  useQuery<{ readonly answer: Answer<"queries.funnels">; readonly asked: Asked }>({
    queryKey: funnelKey(where, body),
    placeholderData: keepPreviousData,
    queryFn:
      body === null
        ? skipToken
        : ({ signal }) =>
            call("queries.funnels", { ...place(where), body, signal }).then((answer) => ({ answer, asked }))
  })

/** A question of retention, answered like one of insights. */
export const useRetention = <Asked>(where: Where, body: BodyOf<"queries.retention"> | null, asked: Asked) =>
  useQuery<{ readonly answer: Answer<"queries.retention">; readonly asked: Asked }>({
    queryKey: retentionKey(where, body),
    placeholderData: keepPreviousData,
    queryFn:
      body === null
        ? skipToken
        : ({ signal }) =>
            call("queries.retention", { ...place(where), body, signal }).then((answer) => ({ answer, asked }))
  })

/** The newest markers, asked again and again while somebody looks. */
export const useNewestMarkers = (
  where: Where,
  body: (now: number) => BodyOf<"markers.raw">,
  key: ReadonlyArray<string>,
  everyMilliseconds: number | false
) =>
  useQuery<Answer<"markers.raw">>({
    queryKey: ["raw", where, ...key],
    queryFn: ({ signal }) => call("markers.raw", { ...place(where), body: body(Date.now()), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: everyMilliseconds,
    staleTime: 0
  })
