const privateV4 = /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./
const privateV6 = /^(::1$|f[cd]|fe[89ab])/i

/** The IPv4 address that an IPv6 address carries (`::ffff:192.0.2.1`), else the address itself. */
const unmapped = (address: string): string => (address.startsWith("::ffff:") ? address.slice(7) : address)

const withPort = /^\[([^\]]*)\](?::\d+)?$|^(\d+(?:\.\d+){3}):\d+$/

/** An address without the port that some proxies add (`192.0.2.1:5000`, `[2001:db8::1]:5000`), each connection of one caller another one. */
export const withoutPort = (address: string): string => {
  const [, v6, v4] = withPort.exec(address) ?? []
  return v6 ?? v4 ?? address
}

const groupsIn = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.split(":"))

/** A group as RFC 5952 (4.1, 4.3) has it: in lower case, without zeros in front. */
const canonical = (group: string): string => group.toLowerCase().replace(/^0+(?=.)/, "")

/**
 * The first groups of 16 bits of an IPv6 address, at most 8: the same text for the same bits, however the address is written. The zeros
 * that `::` leaves out are there (RFC 4291, 2.2).
 */
export const firstGroups = (address: string, count: number): string => {
  const [head = "", tail] = address.split("::", 2)
  const before = groupsIn(head)
  const after = groupsIn(tail ?? "")
  const zeros = Array.from(
    { length: tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length) },
    () => "0"
  )
  return [...before, ...zeros, ...after].slice(0, count).map(canonical).join(":")
}

/** The first 64 bits: what one household or one machine gets of IPv6, and may change the rest of at will. */
const firstHalf = (address: string): string => firstGroups(address, 4)

/**
 * What the requests of one caller have in common: its IPv4 address, or the first 64 bits of its IPv6 address. Undefined for what is no
 * public address (RFC 1918, 4193, 6598, loopback, link-local, unknown): a proxy that does not say who calls, or the operator.
 */
export const networkOf = (address: string): string | undefined => {
  const own = unmapped(address)
  // Every private network of IPv4 begins with a 1.
  if (own.includes(".")) return own.startsWith("1") && privateV4.test(own) ? undefined : own
  return !own.includes(":") || privateV6.test(own) ? undefined : firstHalf(own)
}

/** The same, and the address itself where it is no public one: whoever guesses is counted wherever the guesses come from. */
export const guesserOf = (address: string): string => networkOf(address) ?? address
