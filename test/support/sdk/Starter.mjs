// A game that starts in an empty process: prints what the client cost until it stood, and what its first value is.
import { pathToFileURL } from "node:url"

const { file, url, key, folder } = JSON.parse(process.argv[2] ?? "{}")
const before = process.cpuUsage()
const { createClient, fileStorage } = await import(pathToFileURL(file).href)
const storage = folder === undefined ? {} : { storage: fileStorage(folder) }
const client = createClient({ url, key, environment: "production", ...storage })
const { user, system } = process.cpuUsage(before)

const configuration = client.configuration({ name: "start", defaults: { price: 0 } })
await configuration.ready
process.stdout.write(JSON.stringify({ cpuMillis: (user + system) / 1000, price: configuration.values.price }))
process.exit()
