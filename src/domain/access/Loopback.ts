/** Whether an address, as a socket or a proxy names it, is of this machine itself (RFC 5735; RFC 4291, 2.5.3 and 2.5.5.2). */
export const isLoopback = (address: string): boolean =>
  /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/i.test(address) || address === "::1"

/** Whether a host, as an address or a setting names it, is this machine; IPv6 without brackets. */
export const isThisMachine = (host: string): boolean => host === "localhost" || isLoopback(host)
