import { fileURLToPath } from "node:url"

const bundled = (name: string) => fileURLToPath(new URL(`${name}.mjs`, import.meta.url))

/** The built worker files, which lie beside the built main file. */
export const eventWorkers = { writer: bundled("EventWriter"), reader: bundled("EventReader") }
