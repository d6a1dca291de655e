// nginx with TLS: a stock one, where only `proxy_pass` is set and everything else is as the package has it, and one with the settings of deploy/nginx.conf.
import { assert } from "vitest"
import { spawn, spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../support/Server.ts"
import type { InFolder, Proxy } from "./Proxy.ts"

type ServerBlock = (upstream: string, port: number, inFolder: InFolder) => string

const stock: ServerBlock = (upstream, port, inFolder) => `
  server {
    listen 127.0.0.1:${port} ssl;
    server_name localhost;
    ssl_certificate ${inFolder("cert.pem")}; ssl_certificate_key ${inFolder("key.pem")};
    location / { proxy_pass ${upstream}; }
  }`

/** The sample with the addresses of this test. */
const sample: ServerBlock = (upstream, port, inFolder) =>
  [
    ["server 127.0.0.1:4210;", `server ${new URL(upstream).host};`],
    ["listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`],
    ["server_name play.example.com;", "server_name localhost;"],
    ["/etc/ssl/certs/play.example.com.pem", inFolder("cert.pem")],
    ["/etc/ssl/private/play.example.com.key", inFolder("key.pem")]
  ].reduce(
    (text, [there = "", here = ""]) => {
      assert.include(text, there)
      return text.replace(there, here)
    },
    readFileSync(join(root, "deploy", "nginx.conf"), "utf8")
  )

const configuration = (block: string, inFolder: InFolder) => `
daemon off; pid ${inFolder("nginx.pid")}; error_log ${inFolder("error.log")};
events {}
http {
  access_log off;
  client_body_temp_path ${inFolder("body")}; proxy_temp_path ${inFolder("proxy")};
  fastcgi_temp_path ${inFolder("fastcgi")}; uwsgi_temp_path ${inFolder("uwsgi")}; scgi_temp_path ${inFolder("scgi")};
  ${block}
}
`

const ensure = ({ status, stderr }: { readonly status: number | null; readonly stderr: Buffer }) =>
  assert.strictEqual(status, 0, stderr.toString())

const nginx = (name: string, block: ServerBlock, namesCaller: boolean): Proxy => ({
  name,
  namesCaller,
  dropsUnderscores: true,
  certificate: "cert.pem",
  start: async ({ upstream, port, inFolder }) => {
    ensure(
      spawnSync("openssl", [
        ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"],
        ...["-addext", "subjectAltName=DNS:localhost", "-keyout", inFolder("key.pem"), "-out", inFolder("cert.pem")]
      ])
    )
    writeFileSync(inFolder("nginx.conf"), configuration(block(upstream, port, inFolder), inFolder))
    ensure(spawnSync("nginx", ["-t", "-q", "-e", inFolder("error.log"), "-c", inFolder("nginx.conf")]))
    return spawn("nginx", ["-e", inFolder("error.log"), "-c", inFolder("nginx.conf")])
  }
})

export const nginxes: ReadonlyArray<Proxy> = [
  nginx("a stock nginx", stock, false),
  nginx("deploy/nginx.conf", sample, true)
]
