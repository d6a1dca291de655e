/** Names one request in its answer and in the log. */
export const requestIdHeader = "x-request-id"

/** What a proxy or a client may name a request by; anything else would spoil a line of the log. */
const wellFormed = /^[\w.:+/=@-]{1,128}$/

export const freshRequestId = (): string => crypto.randomUUID()

/** The name that the request came with, if that is well formed; otherwise a fresh one, so whoever answers asks once. */
export const requestIdOf = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): string => {
  const given = headers[requestIdHeader]
  return typeof given === "string" && wellFormed.test(given) ? given : freshRequestId()
}
