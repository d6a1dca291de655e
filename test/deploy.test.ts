import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { parse } from "yaml"
import { eventsAddressIn, isAddress, metadataAddressIn } from "../src/app/Addresses.ts"
import { defaults } from "../src/app/Config.ts"
import { imageVariables, instructions } from "./support/Dockerfile.ts"
import { document } from "./support/Document.ts"
import { root } from "./support/Server.ts"

interface Service {
  readonly image: string
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, object>>
  readonly secrets?: ReadonlyArray<string>
  readonly networks?: ReadonlyArray<string>
  readonly volumes?: ReadonlyArray<string>
  readonly command?: ReadonlyArray<string>
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly volumes: Readonly<Record<string, null>>
  readonly networks?: Readonly<Record<string, null>>
}

const folder = join(root, "deploy")
const textOf = (name: string) => readFileSync(join(folder, name), "utf8")
const composeOf = (name: string): Compose => parse(textOf(name), { merge: true })
const composeFiles = ["compose.yaml", "compose.cluster.yaml"]
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const port = `${defaults.port}`

const variableOf = (name: string): string => `GAMEKEEPER_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`

/** The variables of all settings, of secrets that are no settings, and those that only the compose files and Caddy share. */
const known = new Set([
  ...Object.keys(defaults).map(variableOf),
  ...Object.keys(defaults.oidc).map((name) => variableOf(`oidc_${name}`)),
  "GAMEKEEPER_OTLP_HEADERS",
  "GAMEKEEPER_S3_ACCESS_KEY_ID",
  "GAMEKEEPER_S3_SECRET_ACCESS_KEY",
  "GAMEKEEPER_S3_SESSION_TOKEN",
  "GAMEKEEPER_EVENTS_PASSWORD",
  "GAMEKEEPER_ADMIN_PASSWORD",
  "GAMEKEEPER_DOMAIN",
  "GAMEKEEPER_UPSTREAMS"
])

describe.each(composeFiles)("deploy/%s", (file) => {
  const { services, secrets, volumes, networks = {} } = composeOf(file)
  const all = Object.entries(services)

  it("names exact versions, and our own by its version", () => {
    for (const [name, { image }] of all) {
      if (image.startsWith("gamekeeper:")) assert.strictEqual(image, `gamekeeper:${manifest.version}`, name)
      else assert.match(image, /:\d+\.\d+(\.\d+)*(-[a-z]+)?$/, name)
    }
  })

  it("uses only services, secrets, networks, volumes and files that are there", () => {
    for (const [name, service] of all) {
      assert.includeMembers(Object.keys(services), Object.keys(service.depends_on ?? {}), name)
      assert.includeMembers(Object.keys(secrets), [...(service.secrets ?? [])], name)
      assert.includeMembers(Object.keys(networks), [...(service.networks ?? [])], name)
      for (const volume of service.volumes ?? []) {
        const [source = "", target = ""] = volume.split(":")
        if (source.startsWith("./")) assert.isTrue(existsSync(join(folder, source)), volume)
        else assert.property(volumes, source)
        assert.isTrue(target.startsWith("/"), volume)
      }
      for (const [variable, value] of Object.entries(service.environment ?? {}).filter(([each]) =>
        each.endsWith("_FILE")
      ))
        assert.include(service.secrets ?? [], basename(value), `${name}: ${variable}`)
    }
  })

  it("keeps secrets in files that are not in the repository", () => {
    const ignored = readFileSync(join(root, ".gitignore"), "utf8").split("\n")
    assert.include(ignored, "/deploy/secrets/")
    for (const { file: secret } of Object.values(secrets)) assert.match(secret, /^secrets\//)
    for (const [name, { environment = {} }] of all)
      for (const variable of Object.keys(environment))
        if (/PASSWORD|TOKEN/.test(variable)) assert.match(variable, /_FILE$/, name)
  })

  it("sends Caddy to processes that are there, at the port where they listen", () => {
    const { caddy } = services
    const upstreams = caddy?.environment?.["GAMEKEEPER_UPSTREAMS"]?.split(" ") ?? []
    const servers = all.filter(([, { image, command }]) => image.startsWith("gamekeeper:") && command === undefined)
    assert.sameMembers(
      upstreams,
      servers.map(([name]) => `${name}:${port}`)
    )
    assert.sameMembers(
      Object.keys(caddy?.depends_on ?? {}),
      servers.map(([name]) => name)
    )
    assert.include(caddy?.volumes?.join(" "), "/etc/caddy/Caddyfile")
  })

  it("gives processes addresses that the server takes, without a password", () => {
    for (const [name, { environment = {}, image }] of all.filter(([, service]) =>
      service.image.startsWith("gamekeeper:")
    )) {
      const publicUrl = environment["GAMEKEEPER_PUBLIC_URL"]?.replace(
        /\$\{GAMEKEEPER_DOMAIN[^}]*\}/,
        "play.example.com"
      )
      assert.isTrue(isAddress(publicUrl ?? "?"), `${name} of ${image}`)
      const [metadata, events] = [environment["GAMEKEEPER_METADATA"] ?? "", environment["GAMEKEEPER_EVENTS"] ?? ""]
      assert.isTrue(Option.isSome(metadataAddressIn(metadata)) && Option.isSome(eventsAddressIn(events)), name)
      for (const address of [metadata, events].filter((each) => each !== "")) {
        const { hostname, password } = new URL(address)
        assert.property(services, hostname)
        assert.strictEqual(password, "")
      }
    }
  })
})

describe("deploy", () => {
  it("names no setting that the server does not have, in any file", () => {
    for (const file of readdirSync(folder)) {
      const named = textOf(file).match(/GAMEKEEPER_[A-Z\d_]+/g) ?? []
      assert.includeMembers(
        [...known],
        named.map((name) => name.replace(/_FILE$/, "")),
        file
      )
    }
  })

  it("listens, checks and forwards at one port, by paths that the API has", () => {
    assert.include(imageVariables, `GAMEKEEPER_PORT=${port}`)
    assert.deepStrictEqual(instructions("EXPOSE"), [port])
    assert.include(textOf("nginx.conf"), `server 127.0.0.1:${port};`)
    assert.include(textOf("Caddyfile"), `GAMEKEEPER_UPSTREAMS:127.0.0.1:${port}`)
    const [check = ""] = instructions("HEALTHCHECK")
    assert.include(check, "'/health'")
    const [, ready = ""] = /health_uri (\S+)/.exec(textOf("Caddyfile")) ?? []
    assert.includeMembers(Object.keys(document.paths), ["/health", ready])
  })

  it("runs as a user of its own, on the Node that package.json and the workflow name", () => {
    assert.deepStrictEqual(instructions("USER"), ["node"])
    const versions = new Set(instructions("FROM").map((from) => /^node:(\d+)\.(\d+)\.(\d+)-/.exec(from)?.[1]))
    assert.strictEqual(versions.size, 1)
    const [major = ""] = versions
    const [, least = "", next = ""] = /^>=(\d+)\.\S+ <(\d+)$/.exec(manifest.engines.node) ?? []
    assert.isTrue(Number(major) >= Number(least) && Number(major) < Number(next))
    const workflow = parse(readFileSync(join(root, ".github/workflows/ci.yml"), "utf8"))
    assert.include(workflow.jobs["fresh-clone"].strategy.matrix.node, Number(major))
    assert.include(readFileSync(join(root, "CONTRIBUTING.md"), "utf8"), `Node ${major} is recommended`)
  })

  it("has a unit that starts what is there, with the folder that systemd makes for it", () => {
    const unit = textOf("gamekeeper.service")
    const [, program = ""] = /^ExecStart=\/usr\/bin\/node \/opt\/gamekeeper\/(\S+) serve$/m.exec(unit) ?? []
    assert.isTrue(existsSync(join(root, program)), program)
    const [, state = ""] = /^StateDirectory=(\S+)$/m.exec(unit) ?? []
    assert.include(unit, `GAMEKEEPER_DATA=/var/lib/${state}`)
  })

  it("has the C library give memory back, in the image and in the unit", () => {
    const variable = "MALLOC_MMAP_THRESHOLD_=131072"
    assert.include(imageVariables.split(" "), variable)
    assert.include(textOf("gamekeeper.service"), `\nEnvironment=${variable}\n`)
  })

  it("sends everything to the engine that the build reads, and no data or secrets", () => {
    const lines = readFileSync(join(root, ".dockerignore"), "utf8").split("\n")
    const sent = lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1))
    assert.include(lines, "*")
    for (const each of sent) assert.isTrue(existsSync(join(root, each)), each)
    const maps = readdirSync(join(root, "dist")).filter((file) => file.endsWith(".mjs.map"))
    const read = maps.flatMap((file): ReadonlyArray<string> => {
      const { sources } = JSON.parse(readFileSync(join(root, "dist", file), "utf8"))
      return sources.map((source: string) => relative(root, join(root, "dist", source)).replaceAll("\\", "/"))
    })
    const own = read.filter((path) => !path.startsWith("node_modules/"))
    assert.include(own, "src/main.ts")
    assert.deepStrictEqual(
      own.filter((path) => !sent.some((each) => path === each || path.startsWith(`${each}/`))),
      []
    )
  })
})
