import type { ChildProcess } from "node:child_process"
import { createServer } from "node:net"

/** The path of a name in the folder of one proxy. */
export type InFolder = (name: string) => string

export interface Place {
  /** Where the built server answers. */
  readonly upstream: string
  /** Where the proxy is to answer with TLS, as `localhost`. */
  readonly port: number
  readonly inFolder: InFolder
}

export interface Proxy {
  readonly name: string
  /** Whether it drops headers whose name has an underscore. */
  readonly dropsUnderscores: boolean
  /** Whether it replaces what clients say of their address in X-Forwarded-For. */
  readonly namesCaller: boolean
  /** The file in its folder that its certificate is trusted by. */
  readonly certificate: string
  readonly start: (place: Place) => Promise<ChildProcess>
}

export const freePort = () =>
  new Promise<number>((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => found(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
