// What somebody without any credential sends.
import { connect } from "node:net"
import { gzipSync } from "node:zlib"
import { atOnce, type Attacker, type Case, keys, send, times } from "./Attack.ts"

const signIn = (attacker: Attacker, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  send(attacker, "POST", "/users/auth/signin", headers, body)

const arrays = `[${"[],".repeat(349_000)}[]]`

export const anonymous: ReadonlyArray<Case> = [
  {
    name: "sign in with 1 MiB of lists",
    isAnonymous: true,
    attack: (attacker) => times(10, () => signIn(attacker, arrays))
  },
  {
    name: "sign in with lists in gzip",
    isAnonymous: true,
    attack: (attacker) => times(10, () => signIn(attacker, gzipSync(arrays), { "content-encoding": "gzip" }))
  },
  {
    name: "sign in with 100 levels of lists",
    isAnonymous: true,
    attack: (attacker) => times(100, () => signIn(attacker, `${"[".repeat(8_000)}${"]".repeat(8_000)}`))
  },
  {
    name: "sign in with 90,000 keys",
    isAnonymous: true,
    attack: (attacker) => times(10, () => signIn(attacker, JSON.stringify(keys(90_000, ""))))
  },
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
