// Builds the image of deploy/Dockerfile with the container engine that is there, Docker or Podman, and runs it as deploy/compose.yaml does: with a
// volume, a file system that cannot be written, and no capability. Goes through the README's five minutes to a first chart, and starts it
// anew over the same volume. The base image comes from Docker Hub.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { askFirstChart, run } from "./quickstart.mjs"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const name = `gamekeeper-test-${process.pid}`
const hardening = ["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--tmpfs", "/tmp"]
const startMilliseconds = 60_000

const engine = ["docker", "podman"].find((each) => spawnSync(each, ["version"], { stdio: "ignore" }).status === 0)
if (engine === undefined) throw new Error("no container engine answers: neither docker nor podman")

/** Podman leaves the check out of an image that is not of Docker's format. */
const format = engine === "podman" ? ["--format", "docker"] : []

const ask = (...args) => run(engine, args).trim()

/** Starts the container, and waits until the image's own check passes in it. */
const start = async () => {
  const options = ["--detach", "--no-healthcheck", "--volume", `${name}:/data`, "--publish", "127.0.0.1::4210"]
  ask("run", "--name", name, ...options, ...hardening, name)
  const [, ...check] = JSON.parse(ask("image", "inspect", "--format", "{{json .Config.Healthcheck.Test}}", name))
  const until = Date.now() + startMilliseconds
  while (spawnSync(engine, ["exec", name, ...check], { stdio: "ignore" }).status !== 0) {
    if (Date.now() > until) throw new Error(`the image's own check does not pass: ${ask("logs", name)}`)
    await new Promise((done) => setTimeout(done, 200))
  }
  const [, address] = /(127\.0\.0\.1:\d+)/.exec(ask("port", name, "4210/tcp")) ?? []
  return `http://${address}`
}

/** Stops it as an operator does, and takes the container away; what is to last is in the volume. */
const stop = () => {
  ask("stop", "--time", "30", name)
  const code = ask("inspect", "--format", "{{.State.ExitCode}}", name)
  if (code !== "0") throw new Error(`it ended with code ${code}: ${ask("logs", name)}`)
  ask("rm", name)
}

const folder = mkdtempSync(join(tmpdir(), "gamekeeper-image-"))
try {
  run(engine, ["build", ...format, "--file", "deploy/Dockerfile", "--tag", name, "."], { cwd: root })
  const url = await start()
  const page = await fetch(url, { headers: { accept: "text/html" } })
  if (page.status !== 200) throw new Error(`the dashboard answers ${page.status}`)
  askFirstChart(url, folder)
  const user = ask("exec", name, "id", "-u")
  if (user !== "1000") throw new Error(`the server runs as user ${user}`)
  if (spawnSync(engine, ["exec", name, "touch", "/gamekeeper/dist/main.mjs"], { stdio: "ignore" }).status === 0) {
    throw new Error("the server may change its program")
  }
  stop()
  const again = await fetch(`${await start()}/users/auth/signup`)
  const { isNew } = await again.json()
  if (again.status !== 200 || isNew !== false) throw new Error("the volume did not keep the account")
  stop()
  const bytes = Number(ask("image", "inspect", "--format", "{{.Size}}", name))
  console.log(
    `ok  image: ${Math.round(bytes / 1e6)} MB with its base, answers a first chart, and keeps its data over a restart`
  )
} finally {
  for (const args of [
    ["rm", "--force", name],
    ["volume", "rm", "--force", name],
    ["rmi", "--force", name]
  ]) {
    spawnSync(engine, args, { stdio: "ignore" })
  }
  rmSync(folder, { recursive: true, force: true })
}
