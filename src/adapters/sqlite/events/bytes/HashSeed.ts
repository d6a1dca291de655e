import { randomInt } from "node:crypto"

/**
 * The seed of the hashes of texts and marker ids in memory: a random number, another in each thread. Clients choose these texts and ids;
 * if they knew the seed, they could send thousands that hash to the same slot of a table, where each is compared with all before it.
 * Hashes in files use the seed 0.
 */
export const hashSeed = randomInt(2 ** 31)

/**
 * The hash of what came before, and a further value of at most 32 bits: a byte of a text, or a number. Shifting brings upper bits to the lower
 * ones. Without it these would depend on the lower ones of the seed alone, and one seed in 128 would do nothing.
 */
export const hashedWith = (hash: number, value: number): number => {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}
