import { Predicate } from "effect"

const textOf = (value: unknown, key: string): string | undefined =>
  Predicate.hasProperty(value, key) && typeof value[key] === "string" && value[key] !== "" ? value[key] : undefined

/** The innermost reason that an error names: its code where it has one, else its message. */
const reasonOf = (error: unknown): string =>
  (Predicate.hasProperty(error, "cause") && error.cause !== undefined ? reasonOf(error.cause) : "") ||
  (textOf(error, "code") ?? textOf(error, "message") ?? "")

/** What the reasons mean, and what to do about each; of the names that Node and OpenSSL give them. */
const meanings: ReadonlyArray<readonly [reasons: RegExp, meaning: string]> = [
  [/^ECONNREFUSED$/, "nothing listens there. Is the server running, and is the port right?"],
  [/^ENOTFOUND$/, "nobody has that name. Is it spelled right?"],
  [/^EAI_AGAIN$/, "names cannot be looked up now. Is this machine connected, and is the name spelled right?"],
  [
    /TIMEDOUT|_TIMEOUT$|^E(HOST|NET)UNREACH$/,
    "there was no answer in time. Does a firewall or a proxy keep this machine from it?"
  ],
  [
    /^ECONNRESET$|^EPIPE$|^UND_ERR_SOCKET$|^HPE_/,
    "what listens there hung up, or does not speak HTTP. Is the port right, and is the address one of https?"
  ],
  [
    /^EPROTO$|^ERR_SSL_/,
    "what listens there does not speak TLS as this machine does. Is the port right, and is the address one of http?"
  ],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, "its certificate is not valid today. Renew it, or set the clock right."],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    "its certificate is for another name. Give the address that the certificate names."
  ],
  [
    /SELF_SIGNED|^UNABLE_TO_|^CERT_|^INVALID_CA$/,
    "this machine does not trust its certificate. Name the file of the authority that signed it in NODE_EXTRA_CA_CERTS."
  ]
]

/** How the commands, and what assistants speak to, are given the address of a server. */
export const givenToCommands = "--url or GAMEKEEPER_URL"

const originOf = (address: string): string => (URL.canParse(address) ? new URL(address).origin : address)

/** Why a request to an address had no answer, and what to do, for whoever gave the address; `givenBy` says where. */
export const unreachable = (address: string, givenBy: string, error: unknown): string => {
  const reason = reasonOf(error)
  const [, meaning] = meanings.find(([reasons]) => reasons.test(reason)) ?? []
  const why = meaning === undefined ? `${reason || String(error)}.` : `${meaning} (${reason})`
  return `${originOf(address)} cannot be reached: ${why} The address is given by ${givenBy}.`
}

/** Whether an answer can be one of ours by its content type: all of them with a body are JSON. */
export const isOurs = (status: number, contentType: string | null | undefined): boolean =>
  status === 204 || /^application\/json\b/i.test(contentType ?? "")

/** What is said of an answer that is not one of ours: a proxy answers so whose server is down, and so do other programs. */
export const foreignAnswer = (address: string, givenBy: string, status: number): string =>
  `${originOf(address)} answers with the status ${status}, and not as Gamekeeper does: does it run behind its proxy, and is the address right? It is given by ${givenBy}.`
