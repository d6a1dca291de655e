// Puts made-up markers into an event file, as the release does in whose tests this file lies: FirstRelease.ts copies it into the first one.
import { setup } from "../../support/Workers.ts"
import { close, loadOurs, maintain, openOurs } from "../Ours.ts"

const [file = "", events, players] = process.argv.slice(2)

setup()
await loadOurs(file, { events: Number(events), players: Number(players) }, 1000, 8)
const store = await openOurs(file)
await maintain(store)
await close(store)
process.exit()
