import { mkdir, open, readFile, rename, stat } from "node:fs/promises"
import type { FileHandle } from "node:fs/promises"
import { join } from "node:path"
import { KeptTexts } from "./KeptTexts.ts"
import type { Marker } from "./Marker.ts"
import { isRecord } from "./Record.ts"
import type { Storage } from "./Storage.ts"
import { parsed } from "./Transport.ts"

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

/** The texts that were kept; none where their file has been damaged. */
const textsOf = (text: string): ReadonlyArray<readonly [name: string, text: string]> => {
  const kept = parsed(text)
  return isRecord(kept)
    ? Object.entries(kept).flatMap(([name, each]) => (typeof each === "string" ? [[name, each] as const] : []))
    : []
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
 * Keeps markers and configurations in a folder, for one client at a time: of two, each sends what the other has kept too. What is kept is on disk when its promise resolves: each change is
 * a line at the end of one file, which is written anew without what was removed at the start and when it has become long.
 */
export const fileStorage = (folder: string): Storage => {
  const log = join(folder, "markers.ndjson")
  const texts = join(folder, "texts.json")
  const markers = new Map<string, Marker>()
  // Their file is written as a whole, so that it may not become long.
  const known = new KeptTexts()
  let bytes = 0
  let mostBytes = leastBytes
  let handle: FileHandle | null = null
  /** Whether the file may end within a line, because a full disk or a kill cut one off. */
  let isTorn = true

  const begin = async (): Promise<void> => {
    // A disk that is full now is tried again when twice as much is there, not with each change.
    mostBytes = Math.max(leastBytes, 2 * bytes)
    const text = markers.size === 0 ? "" : `${JSON.stringify({ kept: [...markers.values()] })}\n`
    await handle?.close()
    handle = null
    await durably(log, text)
    isTorn = false
    bytes = Buffer.byteLength(text)
    mostBytes = Math.max(leastBytes, 2 * bytes)
    handle = await open(log, "a", 0o600)
  }

  const opened = (async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const text = (await textIn(log)) ?? ""
    bytes = Buffer.byteLength(text)
    for (const line of text.split("\n").map(lineOf)) {
      for (const marker of line.kept ?? []) markers.set(marker.markerId, marker)
      for (const id of line.removed ?? []) markers.delete(id)
    }
    // What was written meanwhile is newer than what is there.
    for (const [name, each] of [...textsOf((await textIn(texts)) ?? ""), ...known.entries]) known.set(name, each)
    // What is there can be sent although nothing more can be written.
    await begin().catch(() => undefined)
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

  /** Another client of the folder has written the file anew, or removed it: what is added to ours is in no file that anybody reads. */
  const isReplaced = async (ours: FileHandle): Promise<boolean> => {
    const [own, current] = await Promise.all([ours.stat(), stat(log).catch(() => null)])
    return own.ino !== current?.ino
  }

  const append = async (line: Line): Promise<void> => {
    const lines: Array<Line> = [line]
    if (handle !== null && (await isReplaced(handle))) {
      await handle.close()
      handle = null
      lines.unshift({ kept: [...markers.values()] })
    }
    const wasTorn = isTorn
    const text = `${wasTorn ? "\n" : ""}${lines.map((each) => `${JSON.stringify(each)}\n`).join("")}`
    handle ??= await open(log, "a", 0o600)
    isTorn = true
    await handle.appendFile(text)
    isTorn = false
    await handle.datasync()
    bytes += Buffer.byteLength(text)
    // There is room again, also for what had none.
    if (wasTorn || bytes > mostBytes) await begin().catch(() => undefined)
  }

  let nextTexts: Promise<void> | null = null
  const writeTexts = async (): Promise<void> => {
    nextTexts = null
    await durably(texts, JSON.stringify(Object.fromEntries(known.entries)))
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
      return known.get(name)
    },
    write: (name, text) => {
      known.set(name, text)
      // Texts that come while one is written are written together.
      nextTexts ??= inTurn(writeTexts)
      return nextTexts
    },
    close: () => inTurn(async () => handle?.close())
  }
}
