// A game that tracks numbered markers, is killed, and goes on. Prints the number after the last one that is on disk.
import { createClient, fileStorage } from "../../../src/sdk/node.ts"

const { url = "", key = "", folder = "", from = 0, to = 0 } = JSON.parse(process.argv[2] ?? "{}")

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const client = createClient({
  url,
  key,
  environment: "production",
  storage: fileStorage(folder),
  flushSeconds: 0.05
})

const pause = (millis: number) => new Promise((done) => setTimeout(done, millis))

for (let n = from; n < to;) {
  for (const end = Math.min(to, n + 20); n < end; n++)
    client.track("Tortured", { n }, { markerId: idOf(n), distinctId: `p${n}` })
  await client.stored()
  process.stdout.write(`${n}\n`)
  await pause(5)
}
// What an earlier run has left is read from the disk first: until then nothing is known to wait.
await client.stored()
process.stdout.write("tracked\n")
while (client.waiting() > 0) {
  await client.flush()
  await pause(20)
}
await client.close()
process.stdout.write("sent\n")
