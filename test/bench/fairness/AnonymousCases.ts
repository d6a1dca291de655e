// What somebody without any credential sends.
import { connect } from "node:net"
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

/** Each body to every endpoint that asks for no credential, ten times, and once to all others, without their credential. */
const ofBodies = bodies.flatMap((body): ReadonlyArray<Case> => {
  const open = withBody.filter(({ kinds }) => kinds.length === 0)
  const closed = withBody.filter(({ kinds }) => kinds.length > 0)
  return [
    ...open.map((target) => ({
      name: `${target.name}: ${body.name}`,
      isAnonymous: true,
      attack: (attacker: Attacker) => times(10, async () => (await toAll(attacker, [target], body))[0] ?? 0)
    })),
    {
      name: `${closed.length} others without a key: ${body.name}`,
      isAnonymous: true,
      attack: (attacker: Attacker) => toAll(attacker, closed, body)
    }
  ]
})

export const anonymous: ReadonlyArray<Case> = [
  ...ofBodies,
  {
    name: "500 bodies that are half sent",
    isAnonymous: true,
    attack: (attacker) => {
      const { hostname, port } = new URL(attacker.url)
      return atOnce(
        500,
        () =>
          new Promise<number>((resolve) => {
            const socket = connect(Number(port), hostname, () =>
              socket.write(
                `POST /users/auth/signin HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{"a`
              )
            )
            const leave = setTimeout(() => socket.destroy(), 20_000)
            socket.once("data", (chunk) => resolve(Number(chunk.toString().slice(9, 12))))
            socket
              .on("error", () => resolve(0))
              .on("close", () => {
                clearTimeout(leave)
                resolve(0)
              })
          })
      )
    }
  }
]
