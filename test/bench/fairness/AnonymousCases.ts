// What somebody without any credential sends.
import { connect, type Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { type Endpoint, endpoints } from "../../support/Endpoints.ts"
import { atOnce, type Attacker, type Case, keys, send, times } from "./Attack.ts"

const arrays = `[${"[],".repeat(349_000)}[]]`
const inGzip = { "content-encoding": "gzip" }

interface Body {
  readonly name: string
  readonly bytes: string | Uint8Array
  readonly headers: Record<string, string>
}

const bodies: ReadonlyArray<Body> = [
  { name: "1 MiB of lists", bytes: arrays, headers: {} },
  { name: "lists in gzip", bytes: gzipSync(arrays), headers: inGzip },
  { name: "8,000 levels of lists", bytes: `${"[".repeat(8_000)}${"]".repeat(8_000)}`, headers: {} },
  { name: "90,000 keys", bytes: JSON.stringify(keys(90_000, "")), headers: {} },
  { name: "16 KiB of keys", bytes: JSON.stringify(keys(1_300, "")), headers: {} }
]

const withBody = endpoints().filter(({ payload, rawBody }) => payload !== undefined || rawBody)
/** A path with numbers in the place of its parameters. */
const pathOf = ({ path }: Endpoint) => path.replaceAll(/:\w+/g, "1")
const toAll = (attacker: Attacker, targets: ReadonlyArray<Endpoint>, { bytes, headers }: Body) =>
  times(targets.length, (turn) => {
    const target = targets[turn]!
    return send(attacker, target.method, pathOf(target), headers, bytes)
  })

const crowd = 100
const long = "a=%41&".repeat(2_000)
const manyCookies = Array.from({ length: 1_000 }, (_, n) => `c${n}=v`).join("; ")

/** Every endpoint that asks for no credential and takes no body, a hundred times at once, with as much as fits into a head. */
const ofHeads = endpoints()
  .filter(({ kinds, payload, rawBody }) => kinds.length === 0 && payload === undefined && !rawBody)
  .map((target): Case => ({
    name: `${target.name}: ${crowd} long heads at once`,
    isAnonymous: true,
    attack: (attacker) =>
      atOnce(crowd, (turn) =>
        turn % 2 === 0
          ? send(attacker, target.method, `${pathOf(target)}?${long}`, {})
          : send(attacker, target.method, pathOf(target), { cookie: manyCookies })
      )
  }))

/** Each body to every endpoint that asks for no credential, a hundred times at once, and once to all others, without their credential. */
const ofBodies = bodies.flatMap((body): ReadonlyArray<Case> => {
  const open = withBody.filter(({ kinds }) => kinds.length === 0)
  const closed = withBody.filter(({ kinds }) => kinds.length > 0)
  return [
    ...open.map((target) => ({
      name: `${target.name}: ${body.name}`,
      isAnonymous: true,
      attack: (attacker: Attacker) => atOnce(crowd, async () => (await toAll(attacker, [target], body))[0] ?? 0)
    })),
    {
      name: `${closed.length} others without a key: ${body.name}`,
      isAnonymous: true,
      attack: (attacker: Attacker) => toAll(attacker, closed, body)
    }
  ]
})

const half = `POST /users/auth/signin HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{"a`

/** Sockets that have sent the text. */
const begun = ({ url }: Attacker, count: number, text: string) =>
  atOnce(count, () => {
    const { hostname, port } = new URL(url)
    return new Promise<Socket>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write(text, () => resolve(socket)))
      socket.on("error", () => resolve(socket))
    })
  })

/** What the server says to them, 0 where it hangs up without a word. */
const heard = (sockets: ReadonlyArray<Socket>) =>
  atOnce(
    sockets.length,
    (turn) =>
      new Promise<number>((resolve) => {
        const leave = setTimeout(() => sockets[turn]?.destroy(), 20_000)
        sockets[turn]
          ?.once("data", (chunk) => resolve(Number(chunk.toString().slice(9, 12))))
          .on("close", () => {
            clearTimeout(leave)
            resolve(0)
          })
      })
  )

/** Many who have sent the text leave together. */
const leaving = (count: number, what: string, text: string): Case => ({
  name: `${count} ${what} that leave together`,
  isAnonymous: true,
  attack: async (attacker) => {
    const sockets = await begun(attacker, count, text)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    return []
  }
})

export const anonymous: ReadonlyArray<Case> = [
  ...ofHeads,
  ...ofBodies,
  {
    name: "500 bodies that are half sent",
    isAnonymous: true,
    attack: async (attacker) => heard(await begun(attacker, 500, half))
  },
  leaving(500, "bodies that are half sent", half),
  leaving(2_000, "connections that ask for nothing", ""),
  leaving(2_000, "connections that were answered", "GET /health HTTP/1.1\r\nhost: x\r\n\r\n")
]
