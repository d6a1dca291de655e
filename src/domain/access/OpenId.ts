import { firstCharacters } from "../Characters.ts"
import { type DateTime, Either, Encoding } from "effect"
import { emailKey, isReadableAddress, newEmailPattern } from "./User.ts"
import type { IdentityId, UserId } from "../Ids.ts"

/** Somebody at a provider, and the account that is theirs here. */
export interface Identity {
  readonly id: IdentityId
  readonly userId: UserId
  /** The address by which the provider calls itself. */
  readonly issuer: string
  /** Whom the provider means: it gives the same text to nobody else, ever. */
  readonly subject: string
  /** The e-mail address that the provider told at the last sign-in. */
  readonly email: string
  readonly createdAt: DateTime.Utc
  readonly lastUsedAt: DateTime.Utc
}

/** What a provider says of somebody who has signed in there. */
export interface Claims {
  readonly issuer: string
  readonly subject: string
  /** Null where the provider tells none, or has not verified it. */
  readonly verifiedEmail: string | null
  readonly name: string | null
  readonly groups: ReadonlyArray<string>
}

/** Members of a group have the role, by its name in any case, in the organization. */
export interface GroupRole {
  readonly group: string
  readonly organizationId: number
  readonly role: string
}

/** A group may have commas and equals signs in it, as names of LDAP do; the name of a role may not. */
const groupRole = /\s*(.{1,256}?)=([1-9]\d{0,14}):([^:=,]{1,100})(?:,|$)/gy

/** The list `group=organization:role, …`; undefined where a part of it is none. The empty list maps nothing. */
export const groupRolesIn = (text: string): ReadonlyArray<GroupRole> | undefined => {
  if (text.trim() === "") return []
  const found = [...text.trim().matchAll(groupRole)]
  if (found.map(([whole]) => whole).join("") !== text.trim()) return undefined
  return found.map(([, group = "", id, role = ""]) => ({
    group: group.trim(),
    organizationId: Number(id),
    role: role.trim()
  }))
}

/** The role that groups give in each organization: where several do, the one that stands first in the list. */
export const rolesOfGroups = (
  list: ReadonlyArray<GroupRole>,
  groups: ReadonlyArray<string>
): ReadonlyMap<number, string> => {
  const held = new Set(groups)
  const given = new Map<number, string>()
  for (const { group, organizationId, role } of list) {
    if (held.has(group) && !given.has(organizationId)) given.set(organizationId, role)
  }
  return given
}

/** Groups of somebody that are read at most, and characters that a group has at most. */
const mostGroups = 2000
const longestGroup = 256

type Told = Readonly<Record<string, unknown>>

const textOf = (value: unknown, longest: number): string | null =>
  typeof value === "string" && value.trim() !== "" && value.length <= longest ? value.trim() : null

const groupsOf = (value: unknown): ReadonlyArray<string> => {
  const all: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
  const texts = all.filter((each): each is string => typeof each === "string" && each !== "")
  return texts.filter(({ length }) => length <= longestGroup).slice(0, mostGroups)
}

/**
 * What the claims of a provider (OpenID Connect Core 1.0, 5.1) say of somebody. An address counts only where `email_verified` is true, which
 * some providers write as text. Groups are a list of texts, or one text, under the name that is given.
 */
export const claimsOf = (told: Told, groupsClaim: string): Omit<Claims, "issuer" | "subject"> => {
  const { email, email_verified: isVerified, name, preferred_username: username } = told
  const address = textOf(email, 254)
  const isProven = isVerified === true || isVerified === "true"
  return {
    verifiedEmail:
      isProven && address !== null && newEmailPattern.test(address) && isReadableAddress(address) ? address : null,
    name: textOf(name, 100) ?? textOf(username, 100),
    groups: groupsOf(told[groupsClaim])
  }
}

/** What an account is called whose owner the provider does not name: the part of the address before the @. */
export const nameOf = ({ name }: Pick<Claims, "name">, email: string): string =>
  name ?? firstCharacters(emailKey(email).split("@", 1)[0] ?? email, 100)

/** Characters of a page to which a sign-in may lead back. */
export const longestReturn = 1024

/** Characters of an address that anybody may ask to be led back to. */
export const longestWanted = 8192

/**
 * The page of this server to which a sign-in leads back; its first page where an address of another server, or none, is named. What the page
 * shows is left out where that makes its address too long, as questions of many conditions do.
 */
export const returnPath = (wanted: string | undefined): string => {
  if (wanted === undefined || wanted.length > longestWanted || !/^\/(?![/\\])/.test(wanted)) return "/"
  // Browsers leave tabs and line breaks out of an address, so that "/<tab>/other.example" would be another server.
  const base = "http://here.invalid"
  if (/\p{Cc}/u.test(wanted) || !URL.canParse(wanted, base)) return "/"
  const { origin, pathname, search, hash } = new URL(wanted, base)
  if (origin !== base || pathname.startsWith("//")) return "/"
  return [pathname + search + hash, pathname].find(({ length }) => length <= longestReturn) ?? "/"
}

/** Milliseconds that somebody may take to sign in at the provider. */
export const flowMillis = 10 * 60_000

/** A sign-in that has begun in a browser: what its cookie carries. */
export interface Flow {
  /** 43 characters that nobody else knows, from which what is sent to the provider is made. */
  readonly secret: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly returnTo: string
}

/** The cookie of a sign-in that has begun: letters, digits and `-_.` alone, fewer than 2,000 of them. */
export const writtenFlow = ({ secret, startedAt, returnTo }: Flow): string =>
  `${secret}.${startedAt.toString(36)}.${Encoding.encodeBase64Url(returnTo)}`

/** The sign-in of a cookie; undefined where the cookie is none of ours. */
export const flowIn = (cookie: string): Flow | undefined => {
  const [, secret, startedAt, path] = /^([\w-]{43})\.([0-9a-z]{1,9})\.([\w-]{1,1400})$/.exec(cookie) ?? []
  if (secret === undefined || startedAt === undefined || path === undefined) return undefined
  const read = Encoding.decodeBase64UrlString(path)
  if (Either.isLeft(read)) return undefined
  return { secret, startedAt: Number.parseInt(startedAt, 36), returnTo: returnPath(read.right) }
}

/** Whether the sign-in took too long, from the instant of its end on, or began after `now` (epoch ms) as its cookie says. */
export const isFlowOver = ({ startedAt }: Flow, now: number): boolean =>
  now - startedAt >= flowMillis || startedAt > now

/** What is signed with the secret of a sign-in to get its state, nonce or verifier: whoever changes the cookie gets others. */
export const signedOf = (use: "state" | "nonce" | "verifier", { startedAt, returnTo }: Flow): string =>
  `${use} ${startedAt} ${returnTo}`
