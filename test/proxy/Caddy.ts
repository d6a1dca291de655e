// Caddy with a certificate of its own making: one that only passes requests on, and deploy/Caddyfile as it is.
import { spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../support/Server.ts"
import { freePort, type Proxy } from "./Proxy.ts"

/** Both name the domain and the processes by the variables of the sample. */
const stock = `
{$GAMEKEEPER_DOMAIN} {
	reverse_proxy {$GAMEKEEPER_UPSTREAMS}
}
`

const caddy = (name: string, sites: string): Proxy => ({
  name,
  dropsUnderscores: false,
  namesCaller: true,
  certificate: join("caddy", "pki", "authorities", "local", "root.crt"),
  start: async ({ upstream, port, inFolder }) => {
    // Nothing of this machine is to change: neither the certificates that it trusts nor port 80, from where Caddy leads to TLS.
    const options = `{\n\tskip_install_trust\n\tadmin off\n\thttp_port ${await freePort()}\n}\n`
    writeFileSync(inFolder("Caddyfile"), options + sites)
    return spawn("caddy", ["run", "--config", inFolder("Caddyfile"), "--adapter", "caddyfile"], {
      env: {
        ...process.env,
        XDG_DATA_HOME: inFolder("."),
        XDG_CONFIG_HOME: inFolder("."),
        GAMEKEEPER_DOMAIN: `localhost:${port}`,
        GAMEKEEPER_UPSTREAMS: new URL(upstream).host
      },
      stdio: "ignore"
    })
  }
})

export const caddies: ReadonlyArray<Proxy> = [
  caddy("a stock Caddy", stock),
  caddy("deploy/Caddyfile", readFileSync(join(root, "deploy", "Caddyfile"), "utf8"))
]
