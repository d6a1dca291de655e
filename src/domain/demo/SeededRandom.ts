/** Pseudorandom numbers that depend only on the seed: Mulberry32 (Tommy Ettinger, public domain). */
export class SeededRandom {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** Uniform in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let t = this.state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** An integer from low to high, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  /** True with that probability (0 to 1). */
  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** One of the choices, with probability proportional to its weight. */
  pick<A>(choices: ReadonlyArray<readonly [choice: A, weight: number]>): A {
    let rest = this.next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [choice, weight] of choices) {
      rest -= weight
      if (rest < 0) return choice
    }
    return choices[choices.length - 1]![0]
  }

  /** Exponentially distributed with the given mean. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next())
  }

  /** Approximately standard normal (Irwin-Hall with twelve terms). */
  normal(): number {
    let sum = -6
    for (let i = 0; i < 12; i++) sum += this.next()
    return sum
  }

  /** A text in the form of a UUID of version 4. */
  uuid(): string {
    const hex = Array.from({ length: 4 }, () =>
      Math.floor(this.next() * 4294967296)
        .toString(16)
        .padStart(8, "0")
    ).join("")
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
  }
}
