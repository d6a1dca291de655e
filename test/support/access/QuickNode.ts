import { Layer } from "effect"
import { Scrypt } from "../../../src/adapters/node/Scrypt.ts"
import { Node } from "../../../src/app/ProcessAdapters.ts"

/** Hashes of passwords that cost nothing: those of servers take a quarter of a second of processor time each. */
export const QuickScrypt = Scrypt({ ln: 1, r: 1, p: 1 })

/** What the process of a server brings along, with such hashes. */
export const QuickNode = Layer.merge(Node, QuickScrypt)
