import { mkdir, open, readFile, rename } from "node:fs/promises"
import type { FileHandle } from "node:fs/promises"
import { join } from "node:path"
import type { Marker } from "./Marker.ts"
import type { Storage } from "./Storage.ts"

/** The file is written anew, without what was removed, once it has this many bytes and twice what it had then. */
const leastBytes = 1024 * 1024

interface Line {
  readonly kept?: ReadonlyArray<Marker>
  readonly removed?: ReadonlyArray<string>
}

const lineOf = (text: string): Line => {
  try {
    return JSON.parse(text)
  } catch {
    // The last line of a process that was killed.
    return {}
  }
}

const textIn = async (file: string): Promise<string | null> => {
  try {
    return await readFile(file, "utf8")
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return null
    throw cause
  }
}

const durably = async (file: string, text: string): Promise<void> => {
  const draft = `${file}.draft`
  const handle = await open(draft, "w", 0o600)
  try {
    await handle.writeFile(text)
    await handle.datasync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
}

/**
 * Keeps markers and configurations in a folder, for one process at a time. What is kept is on disk when its promise resolves: each change is
 * a line at the end of one file, which is written anew without what was removed at the start and when it has become long.
 */
export const fileStorage = (folder: string): Storage => {
  const log = join(folder, "markers.ndjson")
  const texts = join(folder, "texts.json")
  const markers = new Map<string, Marker>()
  let bytes = 0
  let mostBytes = leastBytes
  let handle: FileHandle | null = null
  let known: Record<string, string> = {}

  const begin = async (): Promise<void> => {
    await handle?.close()
    const text = markers.size === 0 ? "" : `${JSON.stringify({ kept: [...markers.values()] })}\n`
    await durably(log, text)
    bytes = Buffer.byteLength(text)
    mostBytes = Math.max(leastBytes, 2 * bytes)
    handle = await open(log, "a", 0o600)
  }

  const opened = (async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const line of ((await textIn(log)) ?? "").split("\n").map(lineOf)) {
      for (const marker of line.kept ?? []) markers.set(marker.markerId, marker)
      for (const id of line.removed ?? []) markers.delete(id)
    }
    known = JSON.parse((await textIn(texts)) ?? "{}")
    await begin()
  })()
  // Whoever asks is told; nobody may ask.
  opened.catch(() => undefined)

  let turn: Promise<void> = opened
  /** One write after the other. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = turn.then(work, () => opened.then(work))
    turn = done
    done.catch(() => undefined)
    return done
  }

  const append = async (line: Line): Promise<void> => {
    const text = `${JSON.stringify(line)}\n`
    await handle?.appendFile(text)
    await handle?.datasync()
    bytes += Buffer.byteLength(text)
    if (bytes > mostBytes) await begin()
  }

  return {
    markers: async () => {
      await opened
      return [...markers.values()]
    },
    keep: (added) =>
      inTurn(async () => {
        for (const marker of added) markers.set(marker.markerId, marker)
        await append({ kept: added })
      }),
    remove: (ids) =>
      inTurn(async () => {
        for (const id of ids) markers.delete(id)
        await append({ removed: ids })
      }),
    read: async (name) => {
      await opened
      return Object.hasOwn(known, name) ? (known[name] ?? null) : null
    },
    write: (name, text) =>
      inTurn(async () => {
        known = { ...known, [name]: text }
        await durably(texts, JSON.stringify(known))
      }),
    close: () => inTurn(async () => handle?.close())
  }
}
