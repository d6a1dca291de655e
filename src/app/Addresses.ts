import { Data, Effect, Option, Redacted } from "effect"
import type { ClickHouseOptions } from "../adapters/clickhouse/ClickHouse.ts"

/** Whether a text is empty, for nothing is set, or an address at which a browser finds the server. */
export const isAddress = (value: string): boolean => {
  if (value === "" || !URL.canParse(value)) return value === ""
  const { protocol, username, password, search, hash } = new URL(value)
  return /^https?:$/.test(protocol) && username + password + search + hash === ""
}

const databaseOf = ({ pathname }: URL): string => decodeURIComponent(pathname.slice(1))

const isDatabase = (address: URL): boolean => /^\/[^/%]*$/.test(address.pathname)

const parsed = (text: string): Option.Option<URL> =>
  URL.canParse(text) ? Option.some(new URL(text)) : Option.none<URL>()

/** The address of a database of PostgreSQL, or an empty text, which means the data folder; none for anything else. */
export const metadataAddressIn = (text: string): Option.Option<Redacted.Redacted> => {
  const isPostgres = ({ protocol, pathname }: URL) => /^postgres(?:ql)?:$/.test(protocol) && pathname.length > 1
  return text === "" || Option.exists(parsed(text), isPostgres) ? Option.some(Redacted.make(text)) : Option.none()
}

/** The address of a database of ClickHouse, or an empty text, which means the data folder; none for anything else. */
export const eventsAddressIn = (text: string): Option.Option<Redacted.Redacted> => {
  const isClickHouse = (address: URL) =>
    /^clickhouses?:$/.test(address.protocol) &&
    address.hostname !== "" &&
    isDatabase(address) &&
    address.search + address.hash === ""
  return text === "" || Option.exists(parsed(text), isClickHouse) ? Option.some(Redacted.make(text)) : Option.none()
}

/** Where the event store finds ClickHouse: `clickhouses:` is over TLS, and a password of the address goes before the other one. */
export const clickHouseOf = (
  text: Redacted.Redacted,
  password: Option.Option<Redacted.Redacted>
): Omit<ClickHouseOptions, "timeout"> => {
  const address = new URL(Redacted.value(text))
  const isSecure = address.protocol === "clickhouses:"
  const port = address.port === "" ? (isSecure ? "8443" : "8123") : address.port
  const own = Redacted.make(decodeURIComponent(address.password))
  return {
    url: `${isSecure ? "https" : "http"}://${address.hostname}:${port}`,
    database: databaseOf(address) === "" ? "gamekeeper" : databaseOf(address),
    ...(address.username === "" ? {} : { username: decodeURIComponent(address.username) }),
    password: address.password === "" ? Option.getOrElse(password, () => own) : own
  }
}

/** Only one of the two stores is given. */
export class StoresIncomplete extends Data.TaggedError("StoresIncomplete")<{ readonly message: string }> {}

/** Whether the stores are PostgreSQL and ClickHouse rather than the data folder; one without the other is refused. */
export const isOnCluster = ({
  metadata,
  events
}: {
  readonly metadata: Redacted.Redacted
  readonly events: Redacted.Redacted
}): Effect.Effect<boolean, StoresIncomplete> => {
  const [hasMetadata, hasEvents] = [Redacted.value(metadata) !== "", Redacted.value(events) !== ""]
  if (hasMetadata === hasEvents) return Effect.succeed(hasMetadata)
  const [given, missing] = hasMetadata ? ["--metadata", "--events"] : ["--events", "--metadata"]
  return new StoresIncomplete({
    message:
      `${given} is given without ${missing}. Give both, or neither for the data folder: ` +
      "ClickHouse gets its markers from the log in the PostgreSQL of the metadata"
  })
}

/** The address of a server that listens there. Those of IPv6 stand in brackets, by which the port is told from them. */
export const localAddress = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`

/** Whether a server that listens there does so at all addresses of its machine, none of which it names. */
export const isEveryAddress = (host: string): boolean => host === "0.0.0.0" || host === "::"

/** The address by which a browser finds a server that listens there, on its own machine at least: nothing is found at one that means all. */
export const reachableAddress = (host: string, port: number): string =>
  localAddress(isEveryAddress(host) ? "127.0.0.1" : host, port)
