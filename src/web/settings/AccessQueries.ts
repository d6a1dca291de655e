import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query"
import { call } from "../api/client.ts"
import type { Answer } from "../api/Wire.ts"

export type Key = Answer<"apiKeys.list">[number]
export type Member = Answer<"organizations.members">["items"][number]
export type Invitation = Answer<"invitations.list">["items"][number]
export type Role = Answer<"roles.list">[number]
export type Grant = Answer<"roles.grants">[number]
export type Session = Answer<"users.sessions">[number]

/** Entries of one page of a list. */
const perPage = 200

interface PageOf<Item> {
  readonly items: ReadonlyArray<Item>
  readonly nextCursor: string | null
}

/** All entries of a list that comes in pages. */
const everything = async <Item>(
  ask: (query: { readonly limit: number; readonly cursor: string | undefined }) => Promise<PageOf<Item>>
): Promise<ReadonlyArray<Item>> => {
  const found: Array<Item> = []
  let cursor: string | undefined
  do {
    const page = await ask({ limit: perPage, cursor })
    found.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return found
}

export const useKeys = (organizationId: number, isAllowed = true) =>
  useQuery({
    queryKey: ["keys", organizationId],
    enabled: isAllowed,
    queryFn: ({ signal }) => call("apiKeys.list", { path: { organizationId }, signal })
  })

export const useMembers = (organizationId: number) =>
  useQuery({
    queryKey: ["members", organizationId],
    queryFn: ({ signal }) =>
      everything<Member>((query) => call("organizations.members", { path: { organizationId }, query, signal }))
  })

export const useInvitations = (organizationId: number) =>
  useQuery({
    queryKey: ["invitations", organizationId],
    queryFn: ({ signal }) =>
      everything<Invitation>((query) => call("invitations.list", { path: { organizationId }, query, signal }))
  })

export const useRoles = (organizationId: number) =>
  useQuery({
    queryKey: ["roles", organizationId],
    queryFn: ({ signal }) => call("roles.list", { path: { organizationId }, signal })
  })

/** Identities at providers that one's own account is linked to. */
export const useIdentities = () =>
  useQuery({ queryKey: ["identities"], queryFn: ({ signal }) => call("openId.identities", { signal }) })

/** Roles that members have in single projects, instead of the one in the organization. */
export const useProjectGrants = (organizationId: number, applicationIds: ReadonlyArray<number>) =>
  useQueries({
    queries: applicationIds.map((applicationId) => ({
      queryKey: ["grants", organizationId, applicationId],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        call("roles.projectGrants", { path: { organizationId, applicationId }, signal })
    })),
    combine: (answers) => ({
      data: answers.every(({ data }) => data !== undefined) ? answers.flatMap(({ data }) => data ?? []) : undefined,
      error: answers.find(({ error }) => error !== null)?.error ?? null
    })
  })

export const useTokens = () =>
  useQuery({
    queryKey: ["tokens"],
    queryFn: ({ signal }) => call("personalTokens.list", { signal })
  })

export const useSignIns = () =>
  useQuery({
    queryKey: ["sign-ins"],
    queryFn: ({ signal }) => call("users.signIns", { signal })
  })

export const usePasskeys = () =>
  useQuery({
    queryKey: ["passkeys"],
    queryFn: ({ signal }) => call("passkeys.list", { signal })
  })

export const useSecondFactor = () =>
  useQuery({
    queryKey: ["second-factor"],
    queryFn: ({ signal }) => call("secondFactors.state", { signal })
  })

export const useSessions = () =>
  useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => call("users.sessions", { signal })
  })

/**
 * A change, after which the lists of these names are asked again. The answer, which may hold a secret, is not kept once nobody shows it.
 */
export const useChange = <Input, Output>(
  change: (input: Input) => Promise<Output>,
  forgets: ReadonlyArray<string>,
  onDone?: (output: Output) => void
) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    gcTime: 0,
    onSuccess: async (output) => {
      onDone?.(output)
      await client.invalidateQueries({ predicate: ({ queryKey: [first] }) => forgets.some((name) => name === first) })
    }
  })
}
