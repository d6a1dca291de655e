/** A repeatable source of chance for simulations: mulberry32, uniform in [0, 1). */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** How many of `trials` succeed. */
export const binomial = (random: () => number, trials: number, chance: number): number => {
  let successes = 0
  for (let trial = 0; trial < trials; trial++) if (random() < chance) successes++
  return successes
}

/** A standard normal number (Box and Muller). */
export const gaussian = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
