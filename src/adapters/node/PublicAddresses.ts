import { BlockList, isIPv4, isIPv6 } from "node:net"

/** Networks that no address of the public internet is in: IANA's special-purpose registries (RFC 6890 and its updates), and multicast. */
const specialV4: ReadonlyArray<readonly [network: string, prefix: number]> = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3]
]

/** What is public of IPv6, and what is special in it: addresses that carry one of IPv4 among them. */
const publicV6 = ["2000::", 3] as const
const specialV6: ReadonlyArray<readonly [network: string, prefix: number]> = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20]
]

const special = new BlockList()
for (const [network, prefix] of specialV4) special.addSubnet(network, prefix, "ipv4")
for (const [network, prefix] of specialV6) special.addSubnet(network, prefix, "ipv6")

const global = new BlockList()
global.addSubnet(...publicV6, "ipv6")

/** Whether an address, as text, is one of the public internet. */
export const isPublic = (address: string): boolean => {
  if (isIPv4(address)) return !special.check(address, "ipv4")
  const [bare = ""] = address.split("%")
  if (!isIPv6(bare)) return false
  return global.check(bare, "ipv6") && !special.check(bare, "ipv6")
}
