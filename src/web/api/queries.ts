import { QueryClient, queryOptions, skipToken, useQuery } from "@tanstack/react-query"
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
    // Without a network a change fails at once. Kept until there is one, it would be made of what somebody has cancelled meanwhile.
    mutations: { retry: false, networkMode: "always" }
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
