import { Data, Effect } from "effect"
import { foreignAnswer, givenToCommands, unreachable } from "../domain/operations/Unreachable.ts"

/** Why a command against a server cannot go on; nothing was changed by it unless the message says so. */
export class RemoteRefused extends Data.TaggedError("RemoteRefused")<{
  readonly message: string
  readonly code: string | null
}> {}

export const refusal = (message: string, code: string | null = null) => new RemoteRefused({ message, code })

/** The description of the error about an answer that is not one of this server. */
export const notOurs = "not an answer of Gamekeeper"

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined

const textOf = (value: unknown, key: string): string | undefined => {
  const found = fieldOf(value, key)
  return typeof found === "string" ? found : undefined
}

const newToken =
  "make a personal access token in the dashboard (Settings, My account), and give it in GAMEKEEPER_TOKEN or by --token"

/** Refusals of the token itself, by their code. */
const ofToken: Readonly<Record<string, string>> = {
  CREDENTIAL_NOT_ACCEPTED: `Commands take no key of a game or a server: ${newToken}`,
  UNAUTHENTICATED: `The server does not know this token, or the token has expired or was deactivated: ${newToken}`
}

const addressOf = (error: unknown): string => textOf(fieldOf(error, "request"), "url") ?? "The server"

/** What a failed request says to the person at the terminal. */
export const explained = (what: string) => (error: unknown) => {
  const [tag, code, message = String(error)] = [textOf(error, "_tag"), textOf(error, "code"), textOf(error, "message")]
  if (tag === "RequestError" && textOf(error, "reason") === "Transport")
    return refusal(unreachable(addressOf(error), givenToCommands, error), "UNREACHABLE")
  const status = fieldOf(fieldOf(error, "response"), "status")
  if (tag === "ResponseError" && textOf(error, "description") === notOurs)
    return refusal(foreignAnswer(addressOf(error), givenToCommands, Number(status)), "UNREACHABLE")
  const wrongToken = code === undefined ? undefined : ofToken[code]
  if (wrongToken !== undefined) return refusal(`${wrongToken} (${code})`, code)
  if (tag === "ParseError") {
    return refusal(
      `${what}: the server answered what this version does not understand; are both of one version? ${message}`
    )
  }
  return refusal(code === undefined ? `${what}: ${message}` : `${what}: ${message} (${code})`, code ?? null)
}

/**
 * What the token may not read is nothing. Whatever else keeps it from being read, such as a server that has too much to do, is told: files would
 * refer to it by ids, as if it had no names.
 */
export const noneIfForbidden = <A>(
  read: Effect.Effect<ReadonlyArray<A>, RemoteRefused>
): Effect.Effect<ReadonlyArray<A>, RemoteRefused> =>
  Effect.catchIf(
    read,
    ({ code }) => code === "FORBIDDEN",
    () => Effect.succeed([])
  )
