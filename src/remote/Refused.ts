import { Data } from "effect"

/** Why a command against a server cannot go on; nothing was changed by it unless the message says so. */
export class RemoteRefused extends Data.TaggedError("RemoteRefused")<{
  readonly message: string
  readonly code: string | null
}> {}

export const refusal = (message: string, code: string | null = null) => new RemoteRefused({ message, code })

const textOf = (value: unknown, key: string): string | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  const found: unknown = Reflect.get(value, key)
  return typeof found === "string" ? found : undefined
}

/** What a failed request says to the person at the terminal. */
export const explained = (what: string) => (error: unknown) => {
  const [tag, code, message = String(error)] = [textOf(error, "_tag"), textOf(error, "code"), textOf(error, "message")]
  if (tag === "ParseError") {
    return refusal(
      `${what}: the server answered what this version does not understand; are both of one version? ${message}`
    )
  }
  return refusal(code === undefined ? `${what}: ${message}` : `${what}: ${message} (${code})`, code ?? null)
}
