import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { gamekeeper, startServer, withFolder } from "../Server.ts"
import { seeded } from "../Seeded.ts"
import { erasingWorker, ingestWorkers } from "./GameWorkers.ts"
import { mixedStudio, Refused, type Worker } from "./MixedStudio.ts"
import { auditWorker, cohortWorker, configurationWorker, experimentWorker, keyWorker } from "./TeamWorkers.ts"

export interface Killing {
  readonly kills: number
  readonly seed: number
  readonly clients: number
  /** Told after each kill. */
  readonly onKill?: (kill: number) => void
}

export interface Killed {
  /** What was lost, doubled or otherwise not as it was acknowledged. */
  readonly wrong: ReadonlyArray<string>
  /** Kills that came before the server listened. */
  readonly whileStarting: number
  /** Writes that were acknowledged, by who made them. */
  readonly acknowledged: Readonly<Record<string, number>>
}

const args = ["--rate-limits", "off"]
const env = { GAMEKEEPER_WARM_UP: "off" }

/** Looks, of 10 ms, that are waited for the work before a kill. */
const mostLooks = 3000

/** What a server has logged as wrong: an answer of 500 says nothing of its cause. */
const logged = ({ out, err }: { readonly out: string; readonly err: string }): ReadonlyArray<string> =>
  `${out}\n${err}`.split(/\n(?=timestamp=)/).filter((line) => /level=(ERROR|FATAL)/.test(line))

/** Kills a server some milliseconds after its start; whether that was before it listened. */
const killedWhileStarting = async (data: string, killAfter: number) => {
  const starting = gamekeeper(["--data", data, "--port", "0", ...args], env)
  await setTimeout(killAfter)
  const isListening = starting.output().out.includes("listening on")
  starting.process.kill("SIGKILL")
  await starting.ended
  return !isListening
}

/**
 * Kills a built server again and again while games send, a configuration changes, experiments ramp, cohorts are computed, a key rotates
 * and players are erased, and compares after each start what is there with what was acknowledged. A fifth of the kills come while it starts.
 */
export const killAgainAndAgain = ({ kills, seed, clients, onKill }: Killing): Promise<Killed> =>
  withFolder(async (folder) => {
    const data = join(folder, "data")
    const random = seeded(seed)
    const wrong: Array<string> = []
    let whileStarting = 0
    let startMs = 1000

    const first = await startServer(data, args, env)
    const studio = await mixedStudio(first.url)
    const workers: ReadonlyArray<Worker> = [
      ...ingestWorkers(studio, clients),
      erasingWorker(studio),
      await configurationWorker(studio),
      experimentWorker(studio),
      await cohortWorker(studio),
      await keyWorker(studio),
      auditWorker(studio)
    ]
    await first.stop()

    const checked = async (kill: number) => {
      for (const { check, name } of workers) {
        const found = await check().catch((cause: unknown) => [`${name}: ${String(cause)}`])
        wrong.push(...found.map((text) => `before kill ${kill}: ${text}`))
      }
    }

    /** Works until the server is gone, and tells of each step. What is refused meanwhile is wrong. */
    const worked = async ({ step, name }: Worker, killed: AbortSignal, kill: number, done: () => void) => {
      for (;;) {
        try {
          await step()
          done()
        } catch (cause) {
          if (cause instanceof Refused) wrong.push(`at kill ${kill}: ${name}: ${cause.message}`)
          else if (!killed.aborted && !(cause instanceof TypeError))
            wrong.push(`at kill ${kill}: ${name}: ${String(cause)}`)
          if (killed.aborted || cause instanceof Refused) return
          await setTimeout(5)
        }
        if (killed.aborted) return
      }
    }

    for (let kill = 1; kill <= kills; kill++) {
      if (random() < 0.2) {
        if (await killedWhileStarting(data, random() * startMs)) whileStarting++
        onKill?.(kill)
        continue
      }
      const begun = performance.now()
      const server = await startServer(data, args, env)
      startMs = performance.now() - begun
      studio.at.url = server.url
      await checked(kill)
      const killed = new AbortController()
      // Some work first, however quick the machine is, and then in the midst of more of it.
      const done = { steps: 0 }
      const least = 5 + random() * 150
      const working = workers.map((worker) => worked(worker, killed.signal, kill, () => done.steps++))
      for (let looks = 0; looks < mostLooks && done.steps < least; looks++) await setTimeout(10)
      await setTimeout(random() * 100)
      killed.abort()
      server.process.kill("SIGKILL")
      await Promise.all([...working, server.ended])
      onKill?.(kill)
      if (wrong.length > 0) wrong.push(...logged(server.output()))
      if (wrong.length > 0) break
    }

    const last = await startServer(data, args, env)
    studio.at.url = last.url
    await checked(kills + 1)
    const ended = await last.stop()
    if (wrong.length > 0) wrong.push(...logged(ended))
    const doctor = await gamekeeper(["doctor", "--deep", "--data", data]).ended
    if (doctor.code !== 0) wrong.push(doctor.out)
    const acknowledged: Record<string, number> = {}
    for (const { name, acknowledged: count } of workers) {
      const kind = name.replace(/^client \d+$/, "batches of 40 markers")
      if (kind !== "log of changes") acknowledged[kind] = (acknowledged[kind] ?? 0) + count()
    }
    return { wrong, whileStarting, acknowledged }
  })
