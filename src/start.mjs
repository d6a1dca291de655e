// Runs what is built so that it ends cleanly together with npm.
import { stopWithParent } from "./stopping.mjs"

stopWithParent()
await import(`../${process.env.GAMEKEEPER_BUILD ?? "dist"}/main.mjs`)
