import { randomInt } from "node:crypto"

/**
 * What hashes of texts and marker ids begin with in memory, another number in each thread. Clients choose both, and would otherwise make thousands of
 * them that all want the same place of a table, each of which is compared with all before it. Hashes in files begin with 0.
 */
export const hashSeed = randomInt(2 ** 31)
