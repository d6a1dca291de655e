import { randomInt } from "node:crypto"

/**
 * The seed of the hashes of texts and marker ids in memory: a random number, another in each thread. Clients choose these texts and ids;
 * if they knew the seed, they could send thousands that hash to the same slot of a table, where each is compared with all before it.
 * Hashes in files use the seed 0.
 */
export const hashSeed = randomInt(2 ** 31)
